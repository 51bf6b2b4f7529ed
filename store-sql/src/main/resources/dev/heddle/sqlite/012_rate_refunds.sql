-- When the attempt took its share of rates, in nanoseconds since 1970; null if the key has none. The longer ago, the less
-- is refunded.
ALTER TABLE limit_slot ADD COLUMN taken_at INTEGER;

-- The attempt of the job in `refunds`.
ALTER TABLE limit_event ADD COLUMN attempt INTEGER;
