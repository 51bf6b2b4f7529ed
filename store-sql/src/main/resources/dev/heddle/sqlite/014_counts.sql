-- How many jobs there are, ended ones included, without what `job_count_delta` adds.
CREATE TABLE job_count (
    queue TEXT    NOT NULL,
    type  TEXT    NOT NULL,
    state TEXT    NOT NULL,
    jobs  INTEGER NOT NULL,
    PRIMARY KEY (queue, type, state)
) STRICT, WITHOUT ROWID;

-- How many jobs transactions have moved from one state to another. `from_state` is null if the jobs are new, `to_state` if
-- they were deleted. The node folds the rows into `job_count`.
CREATE TABLE job_count_delta (
    queue      TEXT    NOT NULL,
    type       TEXT    NOT NULL,
    from_state TEXT,
    to_state   TEXT,
    jobs       INTEGER NOT NULL
) STRICT;

INSERT INTO job_count (queue, type, state, jobs)
    SELECT j.queue, j.type, coalesce(l.state, e.state), count(*)
    FROM job j LEFT JOIN live l ON l.seq = j.seq LEFT JOIN ended e ON e.seq = j.seq
    WHERE coalesce(l.state, e.state) IS NOT NULL
    GROUP BY 1, 2, 3;
