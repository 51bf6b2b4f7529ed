-- When the job was submitted or last retried by hand, if it has a session: its deadline is counted from then.
-- If the clock of the machine is set, the time moves with it.
ALTER TABLE live ADD COLUMN submitted_at INTEGER;

UPDATE live SET submitted_at = (SELECT j.created_at FROM job j WHERE j.seq = live.seq)
WHERE seq IN (SELECT j.seq FROM job j WHERE j.session IS NOT NULL);

CREATE INDEX live_submitted_at ON live (seq) WHERE submitted_at IS NOT NULL;
