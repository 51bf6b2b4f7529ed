-- What the submit did if its dedupe key was in use; null for the default, while active.
ALTER TABLE job ADD COLUMN dedupe_mode TEXT;

-- `behind` is the seq of the job that must end before this one can be claimed. Until then it has no dedupe key here, and
-- a lane that no claim reads. `has_successor`: a job was put behind this one; the end of this one releases it.
ALTER TABLE live ADD COLUMN behind INTEGER;
ALTER TABLE live ADD COLUMN has_successor INTEGER NOT NULL DEFAULT FALSE;

CREATE UNIQUE INDEX live_behind ON live (behind) WHERE behind IS NOT NULL;

-- What is remembered of a dedupe key with a mode: the last submission, and the job that stood after it. `since` is when
-- the first submit came that postponed its start. Until `until`, the key stays in use after the end of the job; null if
-- it does not.
CREATE TABLE dedupe_key (
    dedupe     TEXT    PRIMARY KEY,
    submission TEXT    NOT NULL,
    job        TEXT    NOT NULL,
    since      INTEGER NOT NULL,
    until      INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX dedupe_key_job ON dedupe_key (job);
CREATE INDEX dedupe_key_until ON dedupe_key (until) WHERE until IS NOT NULL;

-- The end of a job gives its key to its successor, and moves that to the lane from which it is claimed.
CREATE TRIGGER live_dedupe_freed AFTER DELETE ON live WHEN old.has_successor BEGIN
    UPDATE live SET behind = NULL, dedupe = old.dedupe, state = state,
        limit_group = (SELECT j.limit_group FROM job j WHERE j.seq = live.seq),
        lane = (SELECT lane.id FROM job j JOIN lane ON lane.queue = j.queue AND NOT lane.suspect
                    AND lane.type = j.type || CASE WHEN j.limit_group IS NULL THEN '' ELSE char(30) END
                WHERE j.seq = live.seq)
    WHERE behind = old.seq;
END;
