-- Small strings that travel beside the payload, as a JSON object; null for most jobs.
ALTER TABLE job ADD COLUMN headers TEXT;
