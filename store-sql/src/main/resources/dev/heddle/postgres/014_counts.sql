CREATE TABLE heddle.job_count (
    queue text   NOT NULL,
    type  text   NOT NULL,
    state text   NOT NULL,
    jobs  bigint NOT NULL,
    PRIMARY KEY (queue, type, state)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE heddle.job_count IS
    'How many jobs there are, ended ones included, without what job_count_delta adds.';

CREATE TABLE heddle.job_count_delta (
    queue      text   NOT NULL,
    type       text   NOT NULL,
    from_state text,
    to_state   text,
    jobs       bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
COMMENT ON TABLE heddle.job_count_delta IS
    'How many jobs transactions have moved from one state to another. Writers only add rows, so they never wait for each other. Nodes fold the rows into job_count.';
COMMENT ON COLUMN heddle.job_count_delta.type IS 'As in lane.type, or the type of the jobs.';
COMMENT ON COLUMN heddle.job_count_delta.from_state IS 'Null if the jobs are new.';
COMMENT ON COLUMN heddle.job_count_delta.to_state IS 'Null if the jobs were deleted.';

INSERT INTO heddle.job_count (queue, type, state, jobs)
    SELECT j.queue, j.type, coalesce(l.state, e.state), count(*)
    FROM heddle.job j LEFT JOIN heddle.live l ON l.seq = j.seq LEFT JOIN heddle.ended e ON e.seq = j.seq
    WHERE coalesce(l.state, e.state) IS NOT NULL
    GROUP BY 1, 2, 3;
