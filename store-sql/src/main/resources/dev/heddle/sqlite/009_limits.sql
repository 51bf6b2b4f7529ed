-- The limits that cover the job, with their keys and weights, as JSON; null for most jobs. Jobs with the same
-- `limit_group`, a hash of queue, type and limits, are alike for limits.
ALTER TABLE job ADD COLUMN limits TEXT;
ALTER TABLE job ADD COLUMN limit_group INTEGER;

-- `frees` has keys of limits, separated by spaces, that close groups of waiting jobs. They are freed when the job leaves
-- its node.
ALTER TABLE live ADD COLUMN limit_group INTEGER;
ALTER TABLE live ADD COLUMN frees TEXT;

-- The waiting jobs of a group, in the order in which they run. Their lanes are their own, which other claims never read.
CREATE INDEX live_limited ON live (limit_group, priority DESC, seq) WHERE state = 'QUEUED' AND limit_group IS NOT NULL;

CREATE TABLE limit_rule (
    name       TEXT PRIMARY KEY,
    definition TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Groups of jobs that have waiting jobs, or had some lately. `place` is a hash of queue and type. `closed_by` is the key without room; null if the group can be
-- claimed from.
CREATE TABLE limit_group (
    id        INTEGER PRIMARY KEY,
    place     INTEGER NOT NULL,
    priority  INTEGER NOT NULL,
    turn      INTEGER NOT NULL,
    closed_by INTEGER,
    limits    TEXT    NOT NULL
) STRICT;

CREATE INDEX limit_group_turn ON limit_group (turn);
CREATE INDEX limit_group_open ON limit_group (place, priority DESC, turn) WHERE closed_by IS NULL;
CREATE INDEX limit_group_closed ON limit_group (closed_by, place, priority DESC, turn) WHERE closed_by IS NOT NULL;

-- Finds the jobs that nodes hold under a key. A row means nothing unless its job has this attempt and a node.
CREATE TABLE limit_slot (
    limit_key INTEGER NOT NULL,
    seq       INTEGER NOT NULL,
    attempt   INTEGER NOT NULL,
    PRIMARY KEY (limit_key, seq)
) STRICT, WITHOUT ROWID;

-- How much of their rates keys have used (GCRA), in nanoseconds since 1970. `free_at` is when to open groups that the key
-- closes; null if it closes none.
CREATE TABLE limit_rate (
    limit_key INTEGER PRIMARY KEY,
    state     INTEGER NOT NULL,
    free_at   INTEGER
) STRICT;

CREATE INDEX limit_rate_free ON limit_rate (free_at) WHERE free_at IS NOT NULL;

-- The jobs under a key of a limit that drops or cancels jobs. A row means nothing unless its job is live.
CREATE TABLE limit_member (
    limit_key INTEGER NOT NULL,
    seq       INTEGER NOT NULL,
    PRIMARY KEY (limit_key, seq)
) STRICT, WITHOUT ROWID;

-- What the next claim has to look at: a group that has a job to run, keys that were freed, or a job that was released unstarted.
CREATE TABLE limit_event (
    id          INTEGER PRIMARY KEY,
    limit_group INTEGER,
    frees       TEXT,
    refunds     INTEGER
) STRICT;

CREATE TRIGGER live_limited_insert AFTER INSERT ON live
WHEN new.limit_group IS NOT NULL AND new.state = 'QUEUED' BEGIN
    INSERT INTO limit_event (limit_group) SELECT new.limit_group
    WHERE NOT EXISTS (SELECT 1 FROM limit_group WHERE id = new.limit_group AND priority >= new.priority);
END;
CREATE TRIGGER live_limited_update AFTER UPDATE OF state ON live
WHEN new.limit_group IS NOT NULL AND new.state = 'QUEUED' BEGIN
    INSERT INTO limit_event (limit_group) SELECT new.limit_group
    WHERE NOT EXISTS (SELECT 1 FROM limit_group WHERE id = new.limit_group AND priority >= new.priority);
END;
CREATE TRIGGER live_frees_update AFTER UPDATE OF node ON live
WHEN old.frees IS NOT NULL AND old.node IS NOT NULL AND new.node IS NULL BEGIN
    INSERT INTO limit_event (frees) VALUES (old.frees);
END;
CREATE TRIGGER live_frees_delete AFTER DELETE ON live WHEN old.frees IS NOT NULL AND old.node IS NOT NULL BEGIN
    INSERT INTO limit_event (frees) VALUES (old.frees);
END;
