-- The devices that an agent was told of, as JSON: what came and went since then is told with its next run.
CREATE TABLE agent_devices (
    agent_id TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
    told TEXT NOT NULL
);
