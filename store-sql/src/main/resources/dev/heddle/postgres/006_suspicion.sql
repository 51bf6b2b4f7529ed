ALTER TABLE heddle.live ADD COLUMN suspicion json;
COMMENT ON COLUMN heddle.live.suspicion IS
    'What the deaths of nodes say about the job; null for most jobs. Whether the job is a suspect is in its lane.';
