-- Only PostgreSQL has events of several nodes; the steps of both have the same numbers.
DROP TABLE IF EXISTS event_batch;
