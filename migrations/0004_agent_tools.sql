-- Tools that an agent made for itself. Every version stays in the log; this is what it can call now.
CREATE TABLE agent_tools (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    version BIGINT NOT NULL,
    -- protocol::model::ToolSpec as JSON.
    spec TEXT NOT NULL,
    code TEXT NOT NULL,
    -- 1 once it was taken away: the next one of this name goes on counting.
    deleted BIGINT NOT NULL,
    PRIMARY KEY (agent_id, name)
);
