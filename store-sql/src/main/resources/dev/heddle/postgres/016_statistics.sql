CREATE TABLE heddle.stats_slice (
    start     timestamptz NOT NULL,
    length_ms bigint      NOT NULL,
    type      text        NOT NULL,
    queue     text        NOT NULL,
    source    text        NOT NULL,
    completed bigint      NOT NULL,
    failed    bigint      NOT NULL,
    dead      bigint      NOT NULL,
    waits     text        NOT NULL,
    runs      text        NOT NULL,
    PRIMARY KEY (start, length_ms, type, queue, source)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE heddle.stats_slice IS
    'What happened to jobs of a type and queue in a slice of time. Each node writes rows of its own; older rows are merged.';
COMMENT ON COLUMN heddle.stats_slice.source IS 'Who measured the slice; empty if it was merged.';
COMMENT ON COLUMN heddle.stats_slice.waits IS 'How many durations are in which logarithmic bucket, like runs.';

CREATE TABLE heddle.error_group (
    fingerprint text        PRIMARY KEY,
    type        text        NOT NULL,
    exception   text,
    frame       text,
    message     text        NOT NULL,
    sample      text        NOT NULL,
    failures    bigint      NOT NULL,
    first_seen  timestamptz NOT NULL,
    last_seen   timestamptz NOT NULL,
    last_job    uuid        NOT NULL,
    note        text,
    assignee    text
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE heddle.error_group IS 'The failures with one fingerprint.';
COMMENT ON COLUMN heddle.error_group.message IS 'Without what differs from job to job.';
COMMENT ON COLUMN heddle.error_group.sample IS 'The message of the last failure.';
CREATE INDEX error_group_seen ON heddle.error_group (last_seen);

CREATE TABLE heddle.error_hour (
    fingerprint text        NOT NULL,
    start       timestamptz NOT NULL,
    failures    bigint      NOT NULL,
    PRIMARY KEY (fingerprint, start)
) WITH (fillfactor = 70);
COMMENT ON TABLE heddle.error_hour IS 'How many failures of a group there were in each hour of the last week.';

ALTER TABLE heddle.ended ADD COLUMN fingerprint text;
COMMENT ON COLUMN heddle.ended.fingerprint IS 'The error_group of a dead letter; null if its end was no failure of its handler.';
CREATE INDEX ended_error ON heddle.ended (fingerprint, seq) WHERE state = 'FAILED' AND fingerprint IS NOT NULL;
