ALTER TABLE heddle.job ADD COLUMN dedupe_mode text;
COMMENT ON COLUMN heddle.job.dedupe_mode IS 'What the submit did if its dedupe key was in use; null for the default, while active.';

ALTER TABLE heddle.live ADD COLUMN behind bigint, ADD COLUMN has_successor boolean NOT NULL DEFAULT FALSE;
COMMENT ON COLUMN heddle.live.behind IS
    'The seq of the job that must end before this one can be claimed. Until then it has no dedupe key here, and a lane that no claim reads.';
COMMENT ON COLUMN heddle.live.has_successor IS 'Whether a job was put behind this one. Its end releases that job.';

CREATE UNIQUE INDEX live_behind ON heddle.live (behind) WHERE behind IS NOT NULL;

CREATE TABLE heddle.dedupe_key (
    dedupe     text        PRIMARY KEY,
    submission uuid        NOT NULL,
    job        uuid        NOT NULL,
    since      timestamptz NOT NULL,
    until      timestamptz
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE heddle.dedupe_key IS
    'What is remembered of a dedupe key with a mode: the last submission, and the job that stood after it.';
COMMENT ON COLUMN heddle.dedupe_key.dedupe IS 'Type and dedupe key, as in live.dedupe.';
COMMENT ON COLUMN heddle.dedupe_key.since IS 'When the first submit came that postponed the start of the job.';
COMMENT ON COLUMN heddle.dedupe_key.until IS 'Until when the key stays in use after the end of its job; null if it does not.';

CREATE INDEX dedupe_key_job ON heddle.dedupe_key (job);
CREATE INDEX dedupe_key_until ON heddle.dedupe_key (until) WHERE until IS NOT NULL;

-- The end of a job gives its key to its successor, and moves that to the lane from which it is claimed.
CREATE FUNCTION heddle.dedupe_freed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE heddle.live l SET behind = NULL, dedupe = OLD.dedupe, state = l.state, limit_group = j.limit_group,
           lane = lane.id
    FROM heddle.job j JOIN heddle.lane ON lane.queue = j.queue AND NOT lane.suspect
        AND lane.type = j.type || CASE WHEN j.limit_group IS NULL THEN '' ELSE E'\x1e' END
    WHERE l.behind = OLD.seq AND j.seq = l.seq;
    IF FOUND THEN
        PERFORM pg_notify('heddle_' || TG_TABLE_SCHEMA, 'WORK a-trigger ');
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER live_dedupe_freed AFTER DELETE ON heddle.live FOR EACH ROW
    WHEN (OLD.has_successor) EXECUTE FUNCTION heddle.dedupe_freed();
