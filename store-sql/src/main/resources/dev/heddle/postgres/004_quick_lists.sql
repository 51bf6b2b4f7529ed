CREATE TABLE heddle.tag (
    name text   NOT NULL,
    seq  bigint NOT NULL,
    PRIMARY KEY (name, seq)
);
COMMENT ON TABLE heddle.tag IS 'The tags of jobs, by name, so that jobs with a tag are found without reading the others.';

INSERT INTO heddle.tag (name, seq)
    SELECT DISTINCT name, seq FROM heddle.job, jsonb_array_elements_text(tags) AS name WHERE tags IS NOT NULL;

CREATE FUNCTION heddle.add_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO heddle.tag (name, seq) SELECT DISTINCT name, NEW.seq FROM jsonb_array_elements_text(NEW.tags) AS name;
    RETURN NULL;
END $$;
CREATE FUNCTION heddle.remove_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM heddle.tag t USING jsonb_array_elements_text(OLD.tags) AS removed (name)
    WHERE t.name = removed.name AND t.seq = OLD.seq;
    RETURN NULL;
END $$;
CREATE TRIGGER job_tags_insert AFTER INSERT ON heddle.job FOR EACH ROW WHEN (NEW.tags IS NOT NULL)
    EXECUTE FUNCTION heddle.add_tags();
CREATE TRIGGER job_tags_delete AFTER DELETE ON heddle.job FOR EACH ROW WHEN (OLD.tags IS NOT NULL)
    EXECUTE FUNCTION heddle.remove_tags();

DROP INDEX heddle.job_tags;

-- For counting without reading the rows.
DROP INDEX heddle.live_due;
CREATE INDEX live_due ON heddle.live (due_at) INCLUDE (lane) WHERE state = 'SCHEDULED';
CREATE INDEX live_paused ON heddle.live (lane) WHERE state = 'PAUSED';
