-- The logs of attempts, in chunks of lines. Most jobs have none. A chunk is named by the number of its last line within
-- its attempt.
CREATE TABLE log_chunk (
    seq       INTEGER NOT NULL,
    attempt   INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    data      BLOB    NOT NULL,
    PRIMARY KEY (seq, attempt, last_line)
) STRICT, WITHOUT ROWID;
