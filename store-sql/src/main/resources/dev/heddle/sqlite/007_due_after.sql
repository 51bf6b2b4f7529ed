-- Whether the job waits for some time to pass (a delay, the pause before a retry) and not for a time of day.
-- If the clock of the machine is set, such jobs keep their remaining time. Means nothing while `due_at` is null.
ALTER TABLE live ADD COLUMN due_after_span INTEGER;

-- A job that has run before waits for a retry. What the others wait for is not known.
UPDATE live SET due_after_span = TRUE WHERE due_at IS NOT NULL AND attempt > 0;

CREATE INDEX live_due_after_span ON live (seq) WHERE due_after_span AND due_at IS NOT NULL;
