-- The last runs of a schedule are found without those before them.
CREATE INDEX runs_last_of_schedule ON runs (schedule_id, agent_id, began_after DESC, started_at DESC)
    WHERE schedule_id IS NOT NULL;
-- When a node found that nothing is in the way of an agent any more that another node has; NULL: something is.
ALTER TABLE stopped_agents ADD COLUMN cleared_at BIGINT;
