ALTER TABLE heddle.live ADD COLUMN due_after_span boolean;
COMMENT ON COLUMN heddle.live.due_at IS 'When the job may run, by the clock of this server.';
COMMENT ON COLUMN heddle.live.due_after_span IS
    'Whether the job waits for some time to pass (a delay, the pause before a retry) and not for a time of day. Means nothing while due_at is null.';

-- A job that has run before waits for a retry. What the others wait for is not known.
UPDATE heddle.live SET due_after_span = TRUE WHERE due_at IS NOT NULL AND attempt > 0;
