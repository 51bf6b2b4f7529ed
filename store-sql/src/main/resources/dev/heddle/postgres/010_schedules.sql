CREATE TABLE heddle.schedule (
    name     text PRIMARY KEY,
    state    text NOT NULL,
    next_at  timestamptz,
    open     json,
    document json NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE heddle.schedule IS 'What submits jobs again and again.';
COMMENT ON COLUMN heddle.schedule.state IS 'ACTIVE, PAUSED or ENDED.';
COMMENT ON COLUMN heddle.schedule.next_at IS 'When to look at it next, by the clock of this server. Null if it does not fire.';
COMMENT ON COLUMN heddle.schedule.open IS 'The ids of the jobs of earlier runs that had not ended when it last fired.';
COMMENT ON COLUMN heddle.schedule.document IS 'Its definition, its edit, its next time and its counts.';

CREATE INDEX schedule_due ON heddle.schedule (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE heddle.schedule_run (
    schedule text        NOT NULL,
    time     timestamptz NOT NULL,
    fired_at timestamptz NOT NULL,
    kind     text        NOT NULL,
    job      uuid,
    PRIMARY KEY (schedule, time)
);
COMMENT ON TABLE heddle.schedule_run IS
    'The runs of schedules, at most one for each time. They outlive their jobs, so no run is made twice.';
COMMENT ON COLUMN heddle.schedule_run.time IS 'When the run was due, before jitter.';
COMMENT ON COLUMN heddle.schedule_run.job IS 'Null if the run was left out.';

CREATE INDEX schedule_run_fired ON heddle.schedule_run (fired_at);
