ALTER TABLE heddle.job ADD COLUMN searchable jsonb;
COMMENT ON COLUMN heddle.job.searchable IS
    'The values in the payload by which the job is found, by path, as its type declares them; null if there are none.';

CREATE TABLE heddle.payload_value (
    path  text   NOT NULL,
    value text   NOT NULL,
    seq   bigint NOT NULL,
    PRIMARY KEY (path, value, seq)
);
COMMENT ON TABLE heddle.payload_value IS
    'The values of job.searchable, so that jobs with a value are found without reading the others.';

CREATE FUNCTION heddle.change_payload_values() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.searchable IS NOT NULL THEN
        DELETE FROM heddle.payload_value p USING jsonb_each_text(OLD.searchable) AS removed (path, value)
        WHERE p.path = removed.path AND p.value = removed.value AND p.seq = OLD.seq;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.searchable IS NOT NULL THEN
        INSERT INTO heddle.payload_value (path, value, seq)
        SELECT path, value, NEW.seq FROM jsonb_each_text(NEW.searchable) AS added (path, value);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER job_searchable_insert AFTER INSERT ON heddle.job FOR EACH ROW WHEN (NEW.searchable IS NOT NULL)
    EXECUTE FUNCTION heddle.change_payload_values();
CREATE TRIGGER job_searchable_delete AFTER DELETE ON heddle.job FOR EACH ROW WHEN (OLD.searchable IS NOT NULL)
    EXECUTE FUNCTION heddle.change_payload_values();

-- A submit with the dedupe key of a waiting job can replace its options.
CREATE TRIGGER job_searchable_update AFTER UPDATE OF searchable ON heddle.job FOR EACH ROW
    WHEN (NEW.searchable IS DISTINCT FROM OLD.searchable) EXECUTE FUNCTION heddle.change_payload_values();
CREATE FUNCTION heddle.change_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.tags IS NOT NULL THEN
        DELETE FROM heddle.tag t USING jsonb_array_elements_text(OLD.tags) AS removed (name)
        WHERE t.name = removed.name AND t.seq = OLD.seq;
    END IF;
    IF NEW.tags IS NOT NULL THEN
        INSERT INTO heddle.tag (name, seq)
        SELECT DISTINCT name, NEW.seq FROM jsonb_array_elements_text(NEW.tags) AS name;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER job_tags_update AFTER UPDATE OF tags ON heddle.job FOR EACH ROW
    WHEN (NEW.tags IS DISTINCT FROM OLD.tags) EXECUTE FUNCTION heddle.change_tags();

-- For queries, each in the order of submission. Most jobs are in the queue 'default' and have no key.
CREATE INDEX job_type ON heddle.job (type, seq);
CREATE INDEX job_queue ON heddle.job (queue, seq) WHERE queue <> 'default';
CREATE INDEX job_key ON heddle.job (dedupe_key, seq) WHERE dedupe_key IS NOT NULL;
CREATE INDEX ended_cancelled ON heddle.ended (seq) WHERE state = 'CANCELLED';

-- For queries by time.
CREATE INDEX job_created ON heddle.job (created_at, seq);
CREATE INDEX ended_dead_at ON heddle.ended (ended_at, seq) WHERE state = 'FAILED';

CREATE TABLE heddle.saved_view (
    name     text        PRIMARY KEY,
    query    text        NOT NULL,
    actor    text        NOT NULL,
    saved_at timestamptz NOT NULL
);
COMMENT ON TABLE heddle.saved_view IS 'Queries that people saved under a name.';
