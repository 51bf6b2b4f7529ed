-- The values in the payload by which a job is found, by path, as its type declares them; null if there are none.
ALTER TABLE job ADD COLUMN searchable TEXT;

-- The same values, so that jobs with a value are found without reading the others.
CREATE TABLE payload_value (
    path  TEXT    NOT NULL,
    value TEXT    NOT NULL,
    seq   INTEGER NOT NULL,
    PRIMARY KEY (path, value, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER payload_value_insert AFTER INSERT ON job WHEN new.searchable IS NOT NULL BEGIN
    INSERT OR IGNORE INTO payload_value (path, value, seq) SELECT key, value, new.seq FROM json_each(new.searchable);
END;
CREATE TRIGGER payload_value_delete AFTER DELETE ON job
WHEN old.searchable IS NOT NULL AND json_valid(old.searchable) BEGIN
    DELETE FROM payload_value WHERE seq = old.seq
        AND (path, value) IN (SELECT key, value FROM json_each(old.searchable));
END;

-- A submit with the dedupe key of a waiting job can replace its options.
CREATE TRIGGER payload_value_update AFTER UPDATE OF searchable ON job WHEN new.searchable IS NOT old.searchable BEGIN
    DELETE FROM payload_value WHERE seq = old.seq AND (path, value) IN (
        SELECT key, value FROM json_each(CASE WHEN json_valid(old.searchable) THEN old.searchable END));
    INSERT OR IGNORE INTO payload_value (path, value, seq) SELECT key, value, new.seq FROM json_each(new.searchable);
END;
CREATE TRIGGER tag_update AFTER UPDATE OF tags ON job WHEN new.tags IS NOT old.tags BEGIN
    DELETE FROM tag WHERE seq = old.seq AND name IN (
        SELECT value FROM json_each(CASE WHEN json_valid(old.tags) THEN old.tags END));
    INSERT OR IGNORE INTO tag (name, seq) SELECT value, new.seq FROM json_each(new.tags);
END;

-- For queries, each in the order of submission. Most jobs are in the queue 'default' and have no key.
CREATE INDEX job_type ON job (type);
CREATE INDEX job_queue ON job (queue) WHERE queue <> 'default';
CREATE INDEX job_key ON job (dedupe_key) WHERE dedupe_key IS NOT NULL;
CREATE INDEX ended_cancelled ON ended (seq) WHERE state = 'CANCELLED';

-- For queries by time.
CREATE INDEX job_created ON job (created_at);
CREATE INDEX ended_dead_at ON ended (ended_at) WHERE state = 'FAILED';

-- Queries that people saved under a name.
CREATE TABLE saved_view (
    name     TEXT PRIMARY KEY,
    query    TEXT    NOT NULL,
    actor    TEXT    NOT NULL,
    saved_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
