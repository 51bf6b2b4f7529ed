SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA heddle;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE heddle.attempt (
    seq bigint NOT NULL,
    number integer NOT NULL,
    assigned_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone NOT NULL,
    node text NOT NULL,
    worker text NOT NULL,
    outcome text NOT NULL,
    failure json
);
CREATE TABLE heddle.checkpoint (
    seq bigint NOT NULL,
    saved_at timestamp with time zone NOT NULL,
    json jsonb NOT NULL
);
CREATE TABLE heddle.ended (
    seq bigint NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    attempt integer NOT NULL,
    failures integer NOT NULL,
    crashes integer NOT NULL,
    state text NOT NULL,
    reason text,
    result jsonb,
    CONSTRAINT ended_state_check CHECK ((state = ANY (ARRAY['COMPLETED'::text, 'FAILED'::text, 'CANCELLED'::text])))
);
CREATE TABLE heddle.history (
    id bigint NOT NULL,
    seq bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    from_state text NOT NULL,
    to_state text NOT NULL,
    reason text NOT NULL,
    actor text NOT NULL
);
ALTER TABLE heddle.history ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME heddle.history_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE heddle.job (
    seq bigint NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    queue text NOT NULL,
    priority integer NOT NULL,
    payload jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    max_retries integer,
    timeout_ms bigint,
    parent uuid,
    session text,
    subject text,
    tags jsonb,
    dedupe_key text
);
ALTER TABLE heddle.job ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME heddle.job_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE heddle.lane (
    id integer NOT NULL,
    queue text NOT NULL,
    type text NOT NULL,
    suspect boolean NOT NULL
);
ALTER TABLE heddle.lane ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME heddle.lane_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE heddle.live (
    seq bigint NOT NULL,
    lane integer NOT NULL,
    priority integer NOT NULL,
    attempt integer NOT NULL,
    failures integer NOT NULL,
    crashes integer NOT NULL,
    state text NOT NULL,
    due_at timestamp with time zone,
    assigned_at timestamp with time zone,
    started_at timestamp with time zone,
    node text,
    care text,
    progress json,
    reason text,
    dedupe text,
    CONSTRAINT live_state_check CHECK ((state = ANY (ARRAY['QUEUED'::text, 'SCHEDULED'::text, 'PAUSED'::text, 'WAITING'::text, 'ASSIGNED'::text, 'RUNNING'::text, 'CANCELLED'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0', autovacuum_analyze_scale_factor='0.05');
CREATE TABLE heddle.node (
    id text NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    renewed_at timestamp with time zone NOT NULL,
    lease_ms bigint NOT NULL,
    lease_until timestamp with time zone NOT NULL,
    steady_since timestamp with time zone NOT NULL,
    workers json NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='200');
CREATE TABLE heddle.paused_queue (
    name text NOT NULL,
    actor text NOT NULL,
    paused_at timestamp with time zone NOT NULL
);
CREATE TABLE heddle.schema_version (
    version integer NOT NULL,
    installed_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE heddle.step (
    seq bigint NOT NULL,
    saved_at timestamp with time zone NOT NULL,
    name text NOT NULL,
    json jsonb NOT NULL
);
INSERT INTO heddle.attempt VALUES (1, 1, '2026-11-18 04:47:10.86+00', '2026-11-18 04:47:11.245+00', '2026-11-18 04:47:11.259+00', 'vm-26697-6vljy0r', 'vm-26697-6vljy0r/default-1', 'COMPLETED', NULL);
INSERT INTO heddle.attempt VALUES (2, 1, '2026-11-18 04:47:10.86+00', '2026-11-18 04:47:11.252+00', '2026-11-18 04:47:11.28+00', 'vm-26697-6vljy0r', 'vm-26697-6vljy0r/default-2', 'FAILED', '{"category":"TRANSIENT","message":"IllegalStateException: cannot die","details":"java.lang.IllegalStateException: cannot die\n\tat MakeStore.lambda$main$2(MakeStore.java:45)\n\tat dev.heddle.pool.Runner.handle(Runner.java:130)\n\tat dev.heddle.pool.Runner.outcome(Runner.java:115)\n\tat dev.heddle.pool.Runner.run(Runner.java:68)\n\tat dev.heddle.pool.WorkerGroup.loop(WorkerGroup.java:154)\n\tat dev.heddle.pool.WorkerGroup.lambda$startIdle$0(WorkerGroup.java:131)\n\tat java.base/java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1090)\n\tat java.base/java.util.concurrent.ThreadPoolExecutor$Worker.run(ThreadPoolExecutor.java:614)\n\tat java.base/java.lang.Thread.run(Thread.java:1474)\n","retryAfter":null,"failedStep":null,"recoveryHint":null}');
INSERT INTO heddle.attempt VALUES (3, 1, '2026-11-18 04:47:10.86+00', '2026-11-18 04:47:11.257+00', '2026-11-18 04:47:11.273+00', 'vm-26697-6vljy0r', 'vm-26697-6vljy0r/default-3', 'FAILED', '{"category":"TRANSIENT","message":"IllegalStateException: cannot retry","details":"java.lang.IllegalStateException: cannot retry\n\tat MakeStore.lambda$main$2(MakeStore.java:45)\n\tat dev.heddle.pool.Runner.handle(Runner.java:130)\n\tat dev.heddle.pool.Runner.outcome(Runner.java:115)\n\tat dev.heddle.pool.Runner.run(Runner.java:68)\n\tat dev.heddle.pool.WorkerGroup.loop(WorkerGroup.java:154)\n\tat dev.heddle.pool.WorkerGroup.lambda$startIdle$0(WorkerGroup.java:131)\n\tat java.base/java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1090)\n\tat java.base/java.util.concurrent.ThreadPoolExecutor$Worker.run(ThreadPoolExecutor.java:614)\n\tat java.base/java.lang.Thread.run(Thread.java:1474)\n","retryAfter":null,"failedStep":null,"recoveryHint":null}');
INSERT INTO heddle.checkpoint VALUES (8, '2026-11-18 04:47:11.289+00', '"half of work"');
INSERT INTO heddle.ended VALUES (7, '2026-11-18 04:47:11.21+00', 0, 0, 0, 'CANCELLED', 'a person cancelled it', NULL);
INSERT INTO heddle.ended VALUES (1, '2026-11-18 04:47:11.259+00', 1, 0, 0, 'COMPLETED', NULL, '"echo ä\"x\""');
INSERT INTO heddle.ended VALUES (2, '2026-11-18 04:47:11.28+00', 1, 1, 0, 'FAILED', 'Max retries exceeded (0): IllegalStateException: cannot die', NULL);
INSERT INTO heddle.history OVERRIDING SYSTEM VALUE VALUES (1, 6, '2026-11-18 04:47:11.125+00', 'QUEUED', 'PAUSED', 'a person paused it', 'vm-26697-6vljy0r');
INSERT INTO heddle.history OVERRIDING SYSTEM VALUE VALUES (2, 7, '2026-11-18 04:47:11.21+00', 'QUEUED', 'CANCELLED', 'a person cancelled it', 'vm-26697-6vljy0r');
INSERT INTO heddle.history OVERRIDING SYSTEM VALUE VALUES (3, 2, '2026-11-18 04:47:11.28+00', 'RUNNING', 'FAILED', 'Max retries exceeded (0): IllegalStateException: cannot die', 'vm-26697-6vljy0r');
INSERT INTO heddle.history OVERRIDING SYSTEM VALUE VALUES (4, 3, '2026-11-18 04:47:11.273+00', 'ASSIGNED', 'SCHEDULED', 'Retry 1/3: IllegalStateException: cannot retry', 'vm-26697-6vljy0r');
INSERT INTO heddle.job OVERRIDING SYSTEM VALUE VALUES (1, '01a1ecfa-f00f-7000-ba99-78965177d041', 'echo', 'default', 3, '"ä\"x\""', '2026-11-18 04:47:10.869+00', NULL, NULL, NULL, 's1', 'completed', '["blue", "red"]', NULL);
INSERT INTO heddle.job OVERRIDING SYSTEM VALUE VALUES (2, '01a1ecfa-f06b-7000-b4d7-f43f43fb780e', 'fail', 'default', 0, '"die"', '2026-11-18 04:47:10.955+00', 0, NULL, NULL, NULL, 'failed', NULL, NULL);
INSERT INTO heddle.job OVERRIDING SYSTEM VALUE VALUES (3, '01a1ecfa-f084-7000-828a-22bed5c4738d', 'fail', 'slow', 0, '"retry"', '2026-11-18 04:47:10.98+00', NULL, NULL, NULL, NULL, 'scheduled for a retry', NULL, NULL);
INSERT INTO heddle.job OVERRIDING SYSTEM VALUE VALUES (4, '01a1ecfa-f090-7000-8386-5dc2cf817b08', 'later', 'default', 0, '"wait"', '2026-11-18 04:47:10.993+00', NULL, 300000, NULL, NULL, 'queued', NULL, 'only one');
INSERT INTO heddle.job OVERRIDING SYSTEM VALUE VALUES (5, '01a1ecfa-f0d8-7000-b9bd-60360eb2350e', 'later', 'default', 0, '"due"', '2026-11-18 04:47:11.065+00', NULL, NULL, NULL, NULL, 'scheduled', NULL, NULL);
INSERT INTO heddle.job OVERRIDING SYSTEM VALUE VALUES (6, '01a1ecfa-f0f9-7000-b62c-0774e67e3baf', 'later', 'default', 0, '"pause"', '2026-11-18 04:47:11.097+00', NULL, NULL, NULL, NULL, 'paused', NULL, NULL);
INSERT INTO heddle.job OVERRIDING SYSTEM VALUE VALUES (7, '01a1ecfa-f103-7000-9975-b9d4a6e92032', 'later', 'default', 0, '"cancel"', '2026-11-18 04:47:11.107+00', NULL, NULL, NULL, NULL, 'cancelled', NULL, NULL);
INSERT INTO heddle.job OVERRIDING SYSTEM VALUE VALUES (8, '01a1ecfa-f178-7000-80db-7e2da63c6e3c', 'long', 'default', 0, '"work"', '2026-11-18 04:47:11.224+00', NULL, NULL, NULL, NULL, 'running', NULL, NULL);
INSERT INTO heddle.job OVERRIDING SYSTEM VALUE VALUES (9, '01a1ecfa-f186-7000-afb3-7f6c331fdaf9', 'later', 'default', 0, '"belongs"', '2026-11-18 04:47:11.239+00', NULL, NULL, '01a1ecfa-f178-7000-80db-7e2da63c6e3c', NULL, 'labelled with a parent', NULL, NULL);
INSERT INTO heddle.job OVERRIDING SYSTEM VALUE VALUES (10, '01a1ecfa-f195-7000-b731-862d45d3bf73', 'once', 'default', 0, '"pay"', '2026-11-18 04:47:11.253+00', NULL, NULL, NULL, NULL, 'running once', NULL, NULL);
INSERT INTO heddle.lane OVERRIDING SYSTEM VALUE VALUES (1, 'default', 'echo', false);
INSERT INTO heddle.lane OVERRIDING SYSTEM VALUE VALUES (2, 'default', 'echo', true);
INSERT INTO heddle.lane OVERRIDING SYSTEM VALUE VALUES (3, 'default', 'fail', false);
INSERT INTO heddle.lane OVERRIDING SYSTEM VALUE VALUES (4, 'default', 'fail', true);
INSERT INTO heddle.lane OVERRIDING SYSTEM VALUE VALUES (5, 'slow', 'fail', false);
INSERT INTO heddle.lane OVERRIDING SYSTEM VALUE VALUES (6, 'slow', 'fail', true);
INSERT INTO heddle.lane OVERRIDING SYSTEM VALUE VALUES (7, 'default', 'later', false);
INSERT INTO heddle.lane OVERRIDING SYSTEM VALUE VALUES (8, 'default', 'later', true);
INSERT INTO heddle.lane OVERRIDING SYSTEM VALUE VALUES (9, 'default', 'long', false);
INSERT INTO heddle.lane OVERRIDING SYSTEM VALUE VALUES (10, 'default', 'long', true);
INSERT INTO heddle.lane OVERRIDING SYSTEM VALUE VALUES (11, 'default', 'once', false);
INSERT INTO heddle.lane OVERRIDING SYSTEM VALUE VALUES (12, 'default', 'once', true);
INSERT INTO heddle.live VALUES (4, 7, 0, 0, 0, 0, 'QUEUED', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'lateronly one');
INSERT INTO heddle.live VALUES (5, 7, 0, 0, 0, 0, 'SCHEDULED', '2026-11-18 04:47:31.065+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO heddle.live VALUES (6, 7, 0, 0, 0, 0, 'PAUSED', NULL, NULL, NULL, NULL, NULL, NULL, 'a person paused it', NULL);
INSERT INTO heddle.live VALUES (9, 7, 0, 0, 0, 0, 'QUEUED', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO heddle.live VALUES (3, 5, 0, 1, 1, 0, 'SCHEDULED', '2026-11-18 04:47:31.273+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO heddle.live VALUES (10, 11, 0, 1, 0, 0, 'RUNNING', NULL, '2026-11-18 04:47:10.86+00', '2026-11-18 04:47:11.318+00', 'vm-26697-6vljy0r', 'ONCE', NULL, NULL, NULL);
INSERT INTO heddle.live VALUES (8, 9, 0, 1, 0, 0, 'RUNNING', NULL, '2026-11-18 04:47:10.86+00', '2026-11-18 04:47:11.288+00', 'vm-26697-6vljy0r', 'NONE', '{"current":1,"total":2,"message":"half"}', NULL, NULL);
INSERT INTO heddle.node VALUES ('vm-26697-6vljy0r', '2026-11-18 04:47:10.433+00', '2026-11-18 04:47:10.856+00', 30000, '2026-11-18 04:47:40.862864+00', '2026-11-18 04:47:10.727005+00', '[{"id":"vm-26697-6vljy0r/default-1","group":"default","state":"READY","health":"HEALTHY","job":null,"since":"2026-11-18T04:47:10.450Z","jobs":0},{"id":"vm-26697-6vljy0r/default-2","group":"default","state":"READY","health":"HEALTHY","job":null,"since":"2026-11-18T04:47:10.450Z","jobs":0},{"id":"vm-26697-6vljy0r/default-3","group":"default","state":"READY","health":"HEALTHY","job":null,"since":"2026-11-18T04:47:10.450Z","jobs":0},{"id":"vm-26697-6vljy0r/default-4","group":"default","state":"READY","health":"HEALTHY","job":null,"since":"2026-11-18T04:47:10.450Z","jobs":0}]');
INSERT INTO heddle.schema_version VALUES (1, '2026-11-18 04:47:09.842488+00');
INSERT INTO heddle.step VALUES (8, '2026-11-18 04:47:11.378+00', 'first step', '"done once"');
SELECT pg_catalog.setval('heddle.history_id_seq', 4, true);
SELECT pg_catalog.setval('heddle.job_seq_seq', 10, true);
SELECT pg_catalog.setval('heddle.lane_id_seq', 12, true);
ALTER TABLE ONLY heddle.attempt
    ADD CONSTRAINT attempt_pkey PRIMARY KEY (seq, number);
ALTER TABLE ONLY heddle.checkpoint
    ADD CONSTRAINT checkpoint_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY heddle.ended
    ADD CONSTRAINT ended_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY heddle.history
    ADD CONSTRAINT history_pkey PRIMARY KEY (id);
ALTER TABLE ONLY heddle.job
    ADD CONSTRAINT job_id_key UNIQUE (id);
ALTER TABLE ONLY heddle.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY heddle.lane
    ADD CONSTRAINT lane_pkey PRIMARY KEY (id);
ALTER TABLE ONLY heddle.lane
    ADD CONSTRAINT lane_queue_type_suspect_key UNIQUE (queue, type, suspect);
ALTER TABLE ONLY heddle.live
    ADD CONSTRAINT live_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY heddle.node
    ADD CONSTRAINT node_pkey PRIMARY KEY (id);
ALTER TABLE ONLY heddle.paused_queue
    ADD CONSTRAINT paused_queue_pkey PRIMARY KEY (name);
ALTER TABLE ONLY heddle.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY heddle.step
    ADD CONSTRAINT step_pkey PRIMARY KEY (seq, name);
CREATE INDEX ended_dead ON heddle.ended USING btree (seq) WHERE (state = 'FAILED'::text);
CREATE INDEX ended_prunable ON heddle.ended USING btree (ended_at, seq) WHERE (state <> 'FAILED'::text);
CREATE INDEX history_seq ON heddle.history USING btree (seq);
CREATE INDEX job_parent ON heddle.job USING btree (parent) WHERE (parent IS NOT NULL);
CREATE INDEX job_subject ON heddle.job USING btree (subject, seq) WHERE (subject IS NOT NULL);
CREATE INDEX job_tags ON heddle.job USING gin (tags jsonb_path_ops) WHERE (tags IS NOT NULL);
CREATE UNIQUE INDEX live_dedupe ON heddle.live USING btree (dedupe) WHERE (dedupe IS NOT NULL);
CREATE INDEX live_due ON heddle.live USING btree (due_at) WHERE (state = 'SCHEDULED'::text);
CREATE INDEX live_held ON heddle.live USING btree (node) WHERE (node IS NOT NULL);
CREATE INDEX live_ready ON heddle.live USING btree (lane, priority DESC, seq) WHERE (state = 'QUEUED'::text);
