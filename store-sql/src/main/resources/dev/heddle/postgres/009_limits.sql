ALTER TABLE heddle.job ADD COLUMN limits jsonb, ADD COLUMN limit_group bigint;
COMMENT ON COLUMN heddle.job.limits IS 'The limits that cover the job, with their keys and weights; null for most jobs.';
COMMENT ON COLUMN heddle.job.limit_group IS 'A hash of queue, type and limits: jobs of one group are alike for limits.';

ALTER TABLE heddle.live ADD COLUMN limit_group bigint, ADD COLUMN frees text;
COMMENT ON COLUMN heddle.live.frees IS
    'Keys of limits, separated by spaces, that close groups of waiting jobs. They are freed when the job leaves its node.';

-- The waiting jobs of a group, in the order in which they run. Their lanes are their own, which other claims never read.
CREATE INDEX live_limited ON heddle.live (limit_group, priority DESC, seq)
    WHERE state = 'QUEUED' AND limit_group IS NOT NULL;

CREATE TABLE heddle.limit_rule (
    name       text PRIMARY KEY,
    definition jsonb NOT NULL
);
COMMENT ON TABLE heddle.limit_rule IS 'The limits.';

CREATE TABLE heddle.limit_group (
    id        bigint  PRIMARY KEY,
    place     bigint  NOT NULL,
    priority  integer NOT NULL,
    turn      bigint  NOT NULL,
    closed_by bigint,
    limits    jsonb   NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE heddle.limit_group IS 'Groups of jobs that have waiting jobs, or had some lately.';
COMMENT ON COLUMN heddle.limit_group.place IS 'A hash of queue and type.';
COMMENT ON COLUMN heddle.limit_group.closed_by IS 'The key without room; null if the group can be claimed from.';

CREATE SEQUENCE heddle.limit_turn;
CREATE INDEX limit_group_open ON heddle.limit_group (place, priority DESC, turn) WHERE closed_by IS NULL;
CREATE INDEX limit_group_closed ON heddle.limit_group (closed_by, place, priority DESC, turn) WHERE closed_by IS NOT NULL;

CREATE TABLE heddle.limit_slot (
    limit_key bigint  NOT NULL,
    seq       bigint  NOT NULL,
    attempt   integer NOT NULL,
    PRIMARY KEY (limit_key, seq)
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE heddle.limit_slot IS
    'Finds the jobs that nodes hold under a key. A row means nothing unless its job has this attempt and a node.';

CREATE TABLE heddle.limit_rate (
    limit_key bigint PRIMARY KEY,
    state     bigint NOT NULL,
    free_at   bigint
) WITH (fillfactor = 70);
COMMENT ON TABLE heddle.limit_rate IS 'How much of their rates keys have used (GCRA), in nanoseconds since 1970.';
COMMENT ON COLUMN heddle.limit_rate.free_at IS 'When to open groups that the key closes; null if it closes none.';
CREATE INDEX limit_rate_free ON heddle.limit_rate (free_at) WHERE free_at IS NOT NULL;

CREATE TABLE heddle.limit_member (
    limit_key bigint NOT NULL,
    seq       bigint NOT NULL,
    PRIMARY KEY (limit_key, seq)
);
COMMENT ON TABLE heddle.limit_member IS
    'The jobs under a key of a limit that drops or cancels jobs. A row means nothing unless its job is live.';

CREATE TABLE heddle.limit_event (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    limit_group bigint,
    frees       text,
    refunds     bigint
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE heddle.limit_event IS
    'What the next claim has to look at: a group that has a job to run, keys that were freed, or a job that was released unstarted. Writers only add rows, so they never wait for each other.';

-- A claim deletes a group without jobs. The lock keeps it from doing so before it can see the new job.
CREATE FUNCTION heddle.limit_queued() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM heddle.limit_group WHERE id = NEW.limit_group AND priority >= NEW.priority FOR KEY SHARE;
    IF NOT FOUND THEN
        INSERT INTO heddle.limit_event (limit_group) VALUES (NEW.limit_group);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION heddle.limit_freed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO heddle.limit_event (frees) VALUES (OLD.frees);
    RETURN NULL;
END $$;
CREATE TRIGGER live_limited_insert AFTER INSERT ON heddle.live FOR EACH ROW
    WHEN (NEW.limit_group IS NOT NULL AND NEW.state = 'QUEUED') EXECUTE FUNCTION heddle.limit_queued();
CREATE TRIGGER live_limited_update AFTER UPDATE OF state ON heddle.live FOR EACH ROW
    WHEN (NEW.limit_group IS NOT NULL AND NEW.state = 'QUEUED') EXECUTE FUNCTION heddle.limit_queued();
CREATE TRIGGER live_frees_update AFTER UPDATE OF node ON heddle.live FOR EACH ROW
    WHEN (OLD.frees IS NOT NULL AND OLD.node IS NOT NULL AND NEW.node IS NULL) EXECUTE FUNCTION heddle.limit_freed();
CREATE TRIGGER live_frees_delete AFTER DELETE ON heddle.live FOR EACH ROW
    WHEN (OLD.frees IS NOT NULL AND OLD.node IS NOT NULL) EXECUTE FUNCTION heddle.limit_freed();
