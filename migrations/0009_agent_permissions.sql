-- What a person decided once and for all about the page of an agent. What is not in here they are asked.
CREATE TABLE agent_permissions (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    -- protocol::Permission.
    permission TEXT NOT NULL,
    -- The host that a decision about links is about; empty for all others.
    host TEXT NOT NULL,
    allowed BIGINT NOT NULL,
    decided_at BIGINT NOT NULL,
    PRIMARY KEY (agent_id, permission, host)
);
