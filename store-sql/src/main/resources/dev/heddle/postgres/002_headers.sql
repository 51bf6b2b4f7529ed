-- Small strings that travel beside the payload, as a JSON object; null for most jobs.
ALTER TABLE heddle.job ADD COLUMN headers jsonb;
