-- What a program asked of an agent, as it finds it again.
CREATE INDEX runs_asked_by ON runs (asked_by, agent_id) WHERE asked_by IS NOT NULL;
