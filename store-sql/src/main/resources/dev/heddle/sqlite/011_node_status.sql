-- What a node would start and what it holds back, as JSON; null if it does not say. Tells other processes why jobs wait.
ALTER TABLE node ADD COLUMN status TEXT;
