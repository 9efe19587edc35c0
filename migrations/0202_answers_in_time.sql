-- Until when its person can answer a task that asks them. NULL: as long as it takes.
ALTER TABLE pipeline_tasks ADD COLUMN until BIGINT;
CREATE INDEX pipeline_tasks_until ON pipeline_tasks (until) WHERE state = 'asking';
-- An answer had no limit, and keeps having none.
UPDATE pipeline_tasks SET minutes = 0 WHERE done_by = 'person';
