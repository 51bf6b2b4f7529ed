CREATE TABLE heddle.log_chunk (
    seq       bigint  NOT NULL,
    last_line bigint  NOT NULL,
    attempt   integer NOT NULL,
    data      bytea   NOT NULL,
    PRIMARY KEY (seq, attempt, last_line)
);
COMMENT ON TABLE heddle.log_chunk IS 'The logs of attempts, in chunks of lines. Most jobs have none.';
COMMENT ON COLUMN heddle.log_chunk.last_line IS 'The number of the last line of the chunk within its attempt.';
COMMENT ON COLUMN heddle.log_chunk.data IS 'The lines, in a format of Heddle''s own; heddle job logs shows them.';
