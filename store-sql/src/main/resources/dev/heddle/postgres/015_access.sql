CREATE TABLE heddle.access_token (
    name       text        PRIMARY KEY,
    role       text        NOT NULL,
    hash       text        NOT NULL UNIQUE,
    hint       text        NOT NULL,
    created_by text        NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    used_at    timestamptz
);
COMMENT ON TABLE heddle.access_token IS 'The tokens of people and programs.';
COMMENT ON COLUMN heddle.access_token.hash IS 'The SHA-256 of the secret, which is stored nowhere.';
COMMENT ON COLUMN heddle.access_token.hint IS 'How the secret starts.';

CREATE TABLE heddle.audit (
    seq        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         timestamptz NOT NULL,
    actor_kind text        NOT NULL,
    actor      text        NOT NULL,
    address    text,
    operation  text        NOT NULL,
    target     text,
    count      bigint      NOT NULL,
    outcome    text        NOT NULL,
    detail     text
);
COMMENT ON TABLE heddle.audit IS 'Who did what to what, when, from where, and how it ended.';
COMMENT ON COLUMN heddle.audit.actor_kind IS 'What the actor is the name of: TOKEN, USER, CLI, LIBRARY, JOB, NODE or UNKNOWN.';
COMMENT ON COLUMN heddle.audit.count IS 'How many things were changed.';

CREATE INDEX audit_at ON heddle.audit (at, seq);
CREATE INDEX audit_actor ON heddle.audit (actor, at, seq);
CREATE INDEX audit_operation ON heddle.audit (operation, at, seq);
CREATE INDEX audit_target ON heddle.audit (target, at, seq) WHERE target IS NOT NULL;
