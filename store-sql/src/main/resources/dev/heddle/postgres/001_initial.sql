-- A job is written once into `job` and never changed there. While it has not ended, `live` has where it stands: a
-- small table, so that claiming costs the same however many jobs have ended. When it ends, its row moves from `live`
-- to `ended`. Nothing refers to `job` by a foreign key: every row is written together with its job, and the checks
-- would cost a look at `job` for each of them.

CREATE TABLE heddle.lane (
    id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    queue   text    NOT NULL,
    type    text    NOT NULL,
    suspect boolean NOT NULL,
    UNIQUE (queue, type, suspect)
);
COMMENT ON TABLE heddle.lane IS
    'All jobs that are alike for claiming: one queue, one type, suspect (a dead node held it) or not.';

CREATE TABLE heddle.job (
    seq         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id          uuid        NOT NULL UNIQUE,
    type        text        NOT NULL,
    queue       text        NOT NULL,
    priority    integer     NOT NULL,
    payload     jsonb       NOT NULL,
    created_at  timestamptz NOT NULL,
    max_retries integer,
    timeout_ms  bigint,
    parent      uuid,
    session     text,
    subject     text,
    tags        jsonb,
    dedupe_key  text
);
COMMENT ON TABLE heddle.job IS
    'What was asked for, written once. Join live or ended by seq to see where the job stands.';
COMMENT ON COLUMN heddle.job.seq IS 'Order of submission; jobs of equal priority start in this order.';
COMMENT ON COLUMN heddle.job.payload IS 'The handler''s input, as JSON.';
COMMENT ON COLUMN heddle.job.max_retries IS 'Null: as the type or the pool says.';
COMMENT ON COLUMN heddle.job.timeout_ms IS 'The most one attempt may take. Null: as the type or the pool says.';
COMMENT ON COLUMN heddle.job.tags IS 'An array of strings; null where there are none.';

CREATE INDEX job_parent ON heddle.job (parent) WHERE parent IS NOT NULL;
CREATE INDEX job_subject ON heddle.job (subject, seq) WHERE subject IS NOT NULL;
CREATE INDEX job_tags ON heddle.job USING gin (tags jsonb_path_ops) WHERE tags IS NOT NULL;

CREATE TABLE heddle.live (
    seq         bigint   PRIMARY KEY,
    lane        integer  NOT NULL,
    priority    integer  NOT NULL,
    attempt     integer  NOT NULL,
    failures    integer  NOT NULL,
    crashes     integer  NOT NULL,
    state       text     NOT NULL CHECK (state IN
                    ('QUEUED', 'SCHEDULED', 'PAUSED', 'WAITING', 'ASSIGNED', 'RUNNING', 'CANCELLED')),
    due_at      timestamptz,
    assigned_at timestamptz,
    started_at  timestamptz,
    node        text,
    care        text,
    progress    json,
    reason      text,
    dedupe      text
-- Rows live briefly and change twice: dead ones must go quickly, or claiming has to step over them.
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.05);
COMMENT ON TABLE heddle.live IS 'Where a job stands that has not ended. Small: rows leave when their jobs end.';
COMMENT ON COLUMN heddle.live.state IS 'CANCELLED is here only while the attempt of the job still runs.';
COMMENT ON COLUMN heddle.live.attempt IS
    'Grows with every claim. Whoever writes for an attempt must match seq, attempt and node.';
COMMENT ON COLUMN heddle.live.care IS
    'How the attempt was started. BLAMED or ONCE: committed before its handler ran; ONCE: must not run twice silently.';
COMMENT ON COLUMN heddle.live.dedupe IS 'Type and dedupe key, kept apart by a unit separator.';

CREATE INDEX live_ready ON heddle.live (lane, priority DESC, seq) WHERE state = 'QUEUED';
CREATE INDEX live_due ON heddle.live (due_at) WHERE state = 'SCHEDULED';
CREATE INDEX live_held ON heddle.live (node) WHERE node IS NOT NULL;
CREATE UNIQUE INDEX live_dedupe ON heddle.live (dedupe) WHERE dedupe IS NOT NULL;

CREATE TABLE heddle.ended (
    seq      bigint      PRIMARY KEY,
    ended_at timestamptz NOT NULL,
    attempt  integer     NOT NULL,
    failures integer     NOT NULL,
    crashes  integer     NOT NULL,
    state    text        NOT NULL CHECK (state IN ('COMPLETED', 'FAILED', 'CANCELLED')),
    reason   text,
    result   jsonb
);
COMMENT ON TABLE heddle.ended IS 'How a job ended. FAILED ones are the dead letters.';
COMMENT ON COLUMN heddle.ended.result IS 'What the handler returned, as JSON; null where it returned nothing.';

CREATE INDEX ended_prunable ON heddle.ended (ended_at, seq) WHERE state <> 'FAILED';
CREATE INDEX ended_dead ON heddle.ended (seq) WHERE state = 'FAILED';

CREATE TABLE heddle.attempt (
    seq         bigint      NOT NULL,
    number      integer     NOT NULL,
    assigned_at timestamptz NOT NULL,
    started_at  timestamptz,
    ended_at    timestamptz NOT NULL,
    node        text        NOT NULL,
    worker      text        NOT NULL,
    outcome     text        NOT NULL,
    failure     json,
    PRIMARY KEY (seq, number)
);
COMMENT ON TABLE heddle.attempt IS 'Executions that are over.';

CREATE TABLE heddle.history (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    seq        bigint      NOT NULL,
    at         timestamptz NOT NULL,
    from_state text        NOT NULL,
    to_state   text        NOT NULL,
    reason     text        NOT NULL,
    actor      text        NOT NULL
);
COMMENT ON TABLE heddle.history IS 'Changes of state off the ordinary way, with who made them and why.';

CREATE INDEX history_seq ON heddle.history (seq);

CREATE TABLE heddle.checkpoint (
    seq      bigint      PRIMARY KEY,
    saved_at timestamptz NOT NULL,
    json     jsonb       NOT NULL
);
COMMENT ON TABLE heddle.checkpoint IS 'Where the next attempt of a job goes on.';

CREATE TABLE heddle.step (
    seq      bigint      NOT NULL,
    saved_at timestamptz NOT NULL,
    name     text        NOT NULL,
    json     jsonb       NOT NULL,
    PRIMARY KEY (seq, name)
);
COMMENT ON TABLE heddle.step IS 'Results of steps that are done and are not done again.';

CREATE TABLE heddle.paused_queue (
    name      text        PRIMARY KEY,
    actor     text        NOT NULL,
    paused_at timestamptz NOT NULL
);
COMMENT ON TABLE heddle.paused_queue IS 'Queues from which nothing is claimed.';

CREATE TABLE heddle.node (
    id           text        PRIMARY KEY,
    joined_at    timestamptz NOT NULL,
    renewed_at   timestamptz NOT NULL,
    lease_ms     bigint      NOT NULL,
    lease_until  timestamptz NOT NULL,
    steady_since timestamptz NOT NULL,
    workers      json        NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
COMMENT ON TABLE heddle.node IS 'Nodes that count as alive. Whoever is not here has no jobs and must come back anew.';
COMMENT ON COLUMN heddle.node.joined_at IS 'By the node''s own clock, as is renewed_at: for people.';
COMMENT ON COLUMN heddle.node.lease_until IS 'By this server''s clock: from then on others may declare the node dead.';
COMMENT ON COLUMN heddle.node.steady_since IS
    'Since when it has renewed without a gap. Only after a whole lease may it declare others dead.';
