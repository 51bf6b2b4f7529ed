-- What submits jobs again and again. `next_at` is when to look at it next, or null if it does not fire. `open` has the
-- ids of the jobs of earlier runs that had not ended when it last fired, `document` its definition and everything else.
CREATE TABLE schedule (
    name     TEXT PRIMARY KEY,
    state    TEXT NOT NULL,
    next_at  INTEGER,
    open     TEXT,
    document TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX schedule_due ON schedule (next_at) WHERE next_at IS NOT NULL;

-- The runs of schedules, at most one for each time. They outlive their jobs, so no run is made twice. `job` is null if
-- the run was left out.
CREATE TABLE schedule_run (
    schedule TEXT    NOT NULL,
    time     INTEGER NOT NULL,
    fired_at INTEGER NOT NULL,
    kind     TEXT    NOT NULL,
    job      TEXT,
    PRIMARY KEY (schedule, time)
) STRICT, WITHOUT ROWID;

CREATE INDEX schedule_run_fired ON schedule_run (fired_at);
