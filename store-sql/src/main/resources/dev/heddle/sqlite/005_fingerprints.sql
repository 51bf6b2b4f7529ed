-- The migrations that were run, with the SHA-256 of their scripts. The largest version is also the pragma user_version.
CREATE TABLE schema_version (
    version      INTEGER PRIMARY KEY,
    fingerprint  TEXT    NOT NULL,
    installed_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
) STRICT;
