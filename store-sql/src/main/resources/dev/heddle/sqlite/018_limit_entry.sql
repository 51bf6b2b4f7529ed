-- The number of the first key of the job's limits. While a node holds the job, this row takes a slot of that key, and
-- `limit_slot` has rows only for its other keys and for keys with rates. Null for jobs that were stored before; these
-- have rows for all keys.
ALTER TABLE live ADD COLUMN limit_key INTEGER;

CREATE INDEX live_slot ON live (limit_key) WHERE limit_key IS NOT NULL AND node IS NOT NULL;

-- The slots that are taken.
CREATE VIEW limit_held AS
    SELECT limit_key, seq FROM live WHERE limit_key IS NOT NULL AND node IS NOT NULL
    UNION ALL
    SELECT s.limit_key, s.seq FROM limit_slot s
    JOIN live l ON l.seq = s.seq AND l.attempt = s.attempt AND l.node IS NOT NULL
    WHERE l.limit_key IS NOT s.limit_key;
