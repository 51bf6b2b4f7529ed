ALTER TABLE heddle.schema_version ADD COLUMN fingerprint text;
COMMENT ON COLUMN heddle.schema_version.fingerprint IS 'The SHA-256 of the script, which is never edited once it has run.';

-- Step 4 has replaced it. It is here again if the store was at that step, and parts of step 1 had to be added.
DROP INDEX IF EXISTS heddle.job_tags;
