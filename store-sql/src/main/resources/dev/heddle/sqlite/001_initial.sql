-- A job is written once to `job` and never changed there. Until it ends, its status is in `live`, a small table: claiming
-- costs the same however many jobs have ended. When it ends, its row moves from `live` to `ended`. Times are milliseconds
-- since 1970, UTC.

-- Jobs that are alike for claiming: of one queue and one type, suspect (a dead node held the job) or not.
CREATE TABLE lane (
    id      INTEGER PRIMARY KEY,
    queue   TEXT    NOT NULL,
    type    TEXT    NOT NULL,
    suspect INTEGER NOT NULL,
    UNIQUE (queue, type, suspect)
) STRICT;

-- The submitted jobs.
CREATE TABLE job (
    seq         INTEGER PRIMARY KEY,
    id          TEXT    NOT NULL UNIQUE,
    type        TEXT    NOT NULL,
    queue       TEXT    NOT NULL,
    priority    INTEGER NOT NULL,
    payload     TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    max_retries INTEGER,
    timeout_ms  INTEGER,
    parent      TEXT,
    session     TEXT,
    subject     TEXT,
    tags        TEXT,
    dedupe_key  TEXT,
    outlives_parent INTEGER
) STRICT;

CREATE INDEX job_parent ON job (parent) WHERE parent IS NOT NULL;
CREATE INDEX job_subject ON job (subject, seq) WHERE subject IS NOT NULL;
CREATE INDEX job_session ON job (session, seq) WHERE session IS NOT NULL;

-- The status of jobs that have not ended. CANCELLED jobs are here only while their attempt still runs. A null phase is
-- INGEST, the first one. `parent` is the seq of the parent. `has_children` tells whether the job ever had children: its end
-- then cancels those that are live. `care` is the StartGuarantee of the attempt.
CREATE TABLE live (
    seq             INTEGER PRIMARY KEY,
    lane            INTEGER NOT NULL,
    priority        INTEGER NOT NULL,
    state           TEXT    NOT NULL,
    attempt         INTEGER NOT NULL,
    failures        INTEGER NOT NULL,
    crashes         INTEGER NOT NULL,
    due_at          INTEGER,
    node            TEXT,
    assigned_at     INTEGER,
    started_at      INTEGER,
    care            TEXT,
    progress        TEXT,
    reason          TEXT,
    dedupe          TEXT,
    phase           TEXT,
    parent          INTEGER,
    has_children    INTEGER NOT NULL DEFAULT FALSE
) STRICT;

CREATE INDEX live_ready ON live (lane, priority DESC, seq) WHERE state = 'QUEUED';
CREATE INDEX live_due ON live (due_at) WHERE state = 'SCHEDULED';
CREATE INDEX live_waiting ON live (seq) WHERE state = 'WAITING';
CREATE INDEX live_cancelled ON live (seq) WHERE state = 'CANCELLED';
CREATE INDEX live_children ON live (parent, seq) WHERE parent IS NOT NULL;
CREATE UNIQUE INDEX live_dedupe ON live (dedupe) WHERE dedupe IS NOT NULL;

-- How jobs ended. A COMPLETED row also records the attempt that completed the job.
CREATE TABLE ended (
    seq         INTEGER PRIMARY KEY,
    state       TEXT    NOT NULL,
    ended_at    INTEGER NOT NULL,
    attempt     INTEGER NOT NULL,
    failures    INTEGER NOT NULL,
    crashes     INTEGER NOT NULL,
    reason      TEXT,
    result      TEXT,
    assigned_at INTEGER,
    started_at  INTEGER,
    node        TEXT,
    worker      TEXT,
    phase       TEXT
) STRICT;

CREATE INDEX ended_prunable ON ended (ended_at) WHERE state <> 'FAILED';
CREATE INDEX ended_dead ON ended (seq) WHERE state = 'FAILED';

-- Attempts that are over and did not complete their job. Most jobs have none.
CREATE TABLE attempt (
    seq         INTEGER NOT NULL,
    number      INTEGER NOT NULL,
    node        TEXT    NOT NULL,
    worker      TEXT    NOT NULL,
    assigned_at INTEGER NOT NULL,
    started_at  INTEGER,
    ended_at    INTEGER NOT NULL,
    outcome     TEXT    NOT NULL,
    failure     TEXT,
    PRIMARY KEY (seq, number)
) STRICT, WITHOUT ROWID;

CREATE VIEW every_attempt AS
    SELECT seq, number, node, worker, assigned_at, started_at, ended_at, outcome, failure FROM attempt
    UNION ALL
    SELECT seq, attempt, node, worker, assigned_at, started_at, ended_at, 'COMPLETED', NULL FROM ended
    WHERE state = 'COMPLETED';

-- State changes that the attempts do not explain.
CREATE TABLE history (
    id         INTEGER PRIMARY KEY,
    seq        INTEGER NOT NULL,
    from_state TEXT    NOT NULL,
    to_state   TEXT    NOT NULL,
    reason     TEXT    NOT NULL,
    actor      TEXT    NOT NULL,
    at         INTEGER NOT NULL
) STRICT;

CREATE INDEX history_seq ON history (seq);

-- What an attempt leaves for the next one.
CREATE TABLE checkpoint (
    seq      INTEGER PRIMARY KEY,
    json     TEXT    NOT NULL,
    saved_at INTEGER NOT NULL
) STRICT;

CREATE TABLE step (
    seq      INTEGER NOT NULL,
    name     TEXT    NOT NULL,
    json     TEXT    NOT NULL,
    saved_at INTEGER NOT NULL,
    PRIMARY KEY (seq, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE paused_queue (
    name      TEXT PRIMARY KEY,
    actor     TEXT    NOT NULL,
    paused_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE node (
    id         TEXT PRIMARY KEY,
    joined_at  INTEGER NOT NULL,
    renewed_at INTEGER NOT NULL,
    lease_ms   INTEGER NOT NULL,
    workers    TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

-- Attempts whose work outlives their node, and until when only nodes of their machine may adopt them. A row means nothing
-- once its job has another attempt or has ended.
CREATE TABLE reservation (
    seq     INTEGER PRIMARY KEY,
    attempt INTEGER NOT NULL,
    machine TEXT    NOT NULL,
    boot    TEXT    NOT NULL,
    until   INTEGER NOT NULL
) STRICT;

-- Exit codes, artifacts and output of attempts that ran as processes. When the job is deleted, the row stays without its
-- output (gone = 1) until the files at its place are deleted.
CREATE TABLE run (
    seq        INTEGER NOT NULL,
    attempt    INTEGER NOT NULL,
    job        TEXT    NOT NULL,
    place      TEXT    NOT NULL,
    exit_code  INTEGER,
    repository TEXT,
    base       TEXT,
    ref        TEXT,
    artifacts  TEXT    NOT NULL,
    usage      TEXT,
    cut        INTEGER NOT NULL,
    gone       INTEGER NOT NULL DEFAULT 0,
    stdout     TEXT    NOT NULL,
    stderr     TEXT    NOT NULL,
    PRIMARY KEY (seq, attempt)
) STRICT;

CREATE INDEX run_gone ON run (place) WHERE gone = 1;

-- The spending of attempts, for the budgets. A row outlives its job.
CREATE TABLE spend (
    job        TEXT    NOT NULL,
    attempt    INTEGER NOT NULL,
    type       TEXT    NOT NULL,
    tags       TEXT,
    started_at INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    usd        TEXT    NOT NULL,
    estimated  INTEGER NOT NULL,
    tokens     INTEGER NOT NULL,
    PRIMARY KEY (job, attempt)
) STRICT, WITHOUT ROWID;

CREATE INDEX spend_at ON spend (at);

CREATE TABLE budget (
    scope   TEXT NOT NULL,
    measure TEXT NOT NULL,
    amount  TEXT NOT NULL,
    PRIMARY KEY (scope, measure)
) STRICT, WITHOUT ROWID;

-- The words of the conversations of attempts, each once, for searching.
CREATE TABLE spoken (
    id      INTEGER PRIMARY KEY,
    seq     INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    words   TEXT    NOT NULL,
    UNIQUE (seq, attempt)
) STRICT;

CREATE VIRTUAL TABLE spoken_words USING fts5(
    words, content = 'spoken', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 0', detail = none);

CREATE TRIGGER spoken_insert AFTER INSERT ON spoken BEGIN
    INSERT INTO spoken_words (rowid, words) VALUES (new.id, new.words);
END;
CREATE TRIGGER spoken_delete AFTER DELETE ON spoken BEGIN
    INSERT INTO spoken_words (spoken_words, rowid, words) VALUES ('delete', old.id, old.words);
END;
CREATE TRIGGER spoken_update AFTER UPDATE ON spoken BEGIN
    INSERT INTO spoken_words (spoken_words, rowid, words) VALUES ('delete', old.id, old.words);
    INSERT INTO spoken_words (rowid, words) VALUES (new.id, new.words);
END;

-- The worker of each client session; null if it was lost. Jobs up to lost_seq were meant for a lost worker.
CREATE TABLE session_binding (
    type     TEXT    NOT NULL,
    session  TEXT    NOT NULL,
    worker   TEXT,
    node     TEXT    NOT NULL,
    strict   INTEGER NOT NULL,
    bound_at INTEGER NOT NULL,
    used_at  INTEGER NOT NULL,
    lost_seq INTEGER NOT NULL,
    PRIMARY KEY (type, session)
) STRICT, WITHOUT ROWID;

CREATE INDEX session_binding_worker ON session_binding (worker) WHERE worker IS NOT NULL;
