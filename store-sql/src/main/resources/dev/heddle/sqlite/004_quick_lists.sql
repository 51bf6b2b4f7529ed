-- The tags of jobs, by name, so that jobs with a tag are found without reading the others.
CREATE TABLE tag (
    name TEXT    NOT NULL,
    seq  INTEGER NOT NULL,
    PRIMARY KEY (name, seq)
) STRICT, WITHOUT ROWID;

INSERT OR IGNORE INTO tag (name, seq)
    SELECT value, seq FROM job, json_each(job.tags) WHERE tags IS NOT NULL AND json_valid(tags);

CREATE TRIGGER tag_insert AFTER INSERT ON job WHEN new.tags IS NOT NULL BEGIN
    INSERT OR IGNORE INTO tag (name, seq) SELECT value, new.seq FROM json_each(new.tags);
END;
CREATE TRIGGER tag_delete AFTER DELETE ON job WHEN old.tags IS NOT NULL AND json_valid(old.tags) BEGIN
    DELETE FROM tag WHERE seq = old.seq AND name IN (SELECT value FROM json_each(old.tags));
END;

-- For counting: a state that has no index of its own would take a look at every job.
CREATE INDEX live_scheduled ON live (lane) WHERE state = 'SCHEDULED';
CREATE INDEX live_paused ON live (lane) WHERE state = 'PAUSED';
CREATE INDEX live_held ON live (lane, state) WHERE node IS NOT NULL;
