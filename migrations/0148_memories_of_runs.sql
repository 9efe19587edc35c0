-- The memories that went into an answer, as a JSON list of ids: those in the prompt of its run, and those that it
-- found. NULL: none.
ALTER TABLE runs ADD COLUMN memories TEXT;
CREATE INDEX runs_memories ON runs (agent_id, started_at) WHERE memories IS NOT NULL;
