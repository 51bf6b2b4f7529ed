-- What the deaths of nodes say about the job, as a JSON object; null for most jobs. Whether the job is a suspect is in its
-- lane.
ALTER TABLE live ADD COLUMN suspicion TEXT;
