-- db-scheduler's documented table. The priority column and its index are for enablePriority() only and would
-- cost a write at each insert, so they are left out.
CREATE TABLE scheduled_tasks (
  task_name            VARCHAR(100) NOT NULL,
  task_instance        VARCHAR(100) NOT NULL,
  task_data            BLOB,
  execution_time       TIMESTAMP    NOT NULL,
  picked               BOOLEAN      NOT NULL,
  picked_by            VARCHAR(50),
  last_success         TIMESTAMP,
  last_failure         TIMESTAMP,
  consecutive_failures INT,
  last_heartbeat       TIMESTAMP,
  version              BIGINT       NOT NULL,
  PRIMARY KEY (task_name, task_instance)
);
CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
