ALTER TABLE heddle.live ADD COLUMN limit_key bigint;
COMMENT ON COLUMN heddle.live.limit_key IS
    'The number of the first key of the job''s limits. While a node holds the job, this row takes a slot of that key, and limit_slot has rows only for its other keys and for keys with rates. Null for jobs that were stored before; these have rows for all keys.';

CREATE INDEX live_slot ON heddle.live (limit_key) WHERE limit_key IS NOT NULL AND node IS NOT NULL;

CREATE VIEW heddle.limit_held AS
    SELECT limit_key, seq FROM heddle.live WHERE limit_key IS NOT NULL AND node IS NOT NULL
    UNION ALL
    SELECT s.limit_key, s.seq FROM heddle.limit_slot s
    JOIN heddle.live l ON l.seq = s.seq AND l.attempt = s.attempt AND l.node IS NOT NULL
    WHERE l.limit_key IS DISTINCT FROM s.limit_key;
COMMENT ON VIEW heddle.limit_held IS 'The slots that are taken.';

-- Turns of groups are compared with the numbers of jobs, so they come from the same sequence.
SELECT setval('heddle.job_seq_seq', (SELECT last_value FROM heddle.limit_turn))
WHERE (SELECT last_value FROM heddle.limit_turn) > (SELECT last_value FROM heddle.job_seq_seq);
DROP SEQUENCE heddle.limit_turn;
