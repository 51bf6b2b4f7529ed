-- What happened to jobs of a type and queue in a slice of time. Older rows are merged; their `source` is empty. `waits`
-- and `runs` say how many durations are in which logarithmic bucket.
CREATE TABLE stats_slice (
    start     INTEGER NOT NULL,
    length_ms INTEGER NOT NULL,
    type      TEXT    NOT NULL,
    queue     TEXT    NOT NULL,
    source    TEXT    NOT NULL,
    completed INTEGER NOT NULL,
    failed    INTEGER NOT NULL,
    dead      INTEGER NOT NULL,
    waits     TEXT    NOT NULL,
    runs      TEXT    NOT NULL,
    PRIMARY KEY (start, length_ms, type, queue, source)
) STRICT, WITHOUT ROWID;

-- The failures with one fingerprint. `message` is without what differs from job to job, `sample` the message of the last
-- failure.
CREATE TABLE error_group (
    fingerprint TEXT    PRIMARY KEY,
    type        TEXT    NOT NULL,
    exception   TEXT,
    frame       TEXT,
    message     TEXT    NOT NULL,
    sample      TEXT    NOT NULL,
    failures    INTEGER NOT NULL,
    first_seen  INTEGER NOT NULL,
    last_seen   INTEGER NOT NULL,
    last_job    TEXT    NOT NULL,
    note        TEXT,
    assignee    TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX error_group_seen ON error_group (last_seen);

-- How many failures of a group there were in each hour of the last week.
CREATE TABLE error_hour (
    fingerprint TEXT    NOT NULL,
    start       INTEGER NOT NULL,
    failures    INTEGER NOT NULL,
    PRIMARY KEY (fingerprint, start)
) STRICT, WITHOUT ROWID;

-- The `error_group` of a dead letter; null if its end was no failure of its handler.
ALTER TABLE ended ADD COLUMN fingerprint TEXT;
CREATE INDEX ended_error ON ended (fingerprint, seq) WHERE state = 'FAILED' AND fingerprint IS NOT NULL;
