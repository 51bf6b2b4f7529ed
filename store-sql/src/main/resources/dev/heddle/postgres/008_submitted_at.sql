ALTER TABLE heddle.live ADD COLUMN submitted_at timestamptz;
COMMENT ON COLUMN heddle.live.submitted_at IS
    'When the job was submitted or last retried by hand, by the clock of this server, if it has a session: its deadline is counted from then.';

UPDATE heddle.live l SET submitted_at = j.created_at FROM heddle.job j WHERE j.seq = l.seq AND j.session IS NOT NULL;
