ALTER TABLE heddle.limit_slot ADD COLUMN taken_at bigint;
COMMENT ON COLUMN heddle.limit_slot.taken_at IS
    'When the attempt took its share of rates, in nanoseconds since 1970; null if the key has none. The longer ago, the less is refunded.';

ALTER TABLE heddle.limit_event ADD COLUMN attempt integer;
COMMENT ON COLUMN heddle.limit_event.attempt IS 'The attempt of the job in refunds.';
