ALTER TABLE heddle.node ADD COLUMN status json;
COMMENT ON COLUMN heddle.node.status IS
    'What the node would start and what it holds back; null if it does not say. Tells other nodes why jobs wait.';
