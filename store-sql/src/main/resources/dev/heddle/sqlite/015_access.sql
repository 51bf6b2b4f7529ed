-- The tokens of people and programs. `hash` is the SHA-256 of the secret, `hint` how it starts.
CREATE TABLE access_token (
    name       TEXT    PRIMARY KEY,
    role       TEXT    NOT NULL,
    hash       TEXT    NOT NULL UNIQUE,
    hint       TEXT    NOT NULL,
    created_by TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    used_at    INTEGER
) STRICT, WITHOUT ROWID;

-- Who did what to what. `actor_kind` says what `actor` is the name of; `count` is how many things were changed.
CREATE TABLE audit (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    at         INTEGER NOT NULL,
    actor_kind TEXT    NOT NULL,
    actor      TEXT    NOT NULL,
    address    TEXT,
    operation  TEXT    NOT NULL,
    target     TEXT,
    count      INTEGER NOT NULL,
    outcome    TEXT    NOT NULL,
    detail     TEXT
) STRICT;

CREATE INDEX audit_at ON audit (at, seq);
CREATE INDEX audit_actor ON audit (actor, at, seq);
CREATE INDEX audit_operation ON audit (operation, at, seq);
CREATE INDEX audit_target ON audit (target, at, seq) WHERE target IS NOT NULL;
