-- What an agent was told to be after each change of that. The newest is what its definition says.
CREATE TABLE instruction_versions (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    instructions TEXT NOT NULL,
    -- What it counts for in its person's space. Nothing as long as it is the newest: a definition counts for nothing.
    bytes BIGINT NOT NULL,
    at BIGINT NOT NULL,
    -- person, agent or copy. Without one it is not known.
    author TEXT,
    -- In which the agent wrote it.
    conversation_id TEXT REFERENCES conversations (id) ON DELETE SET NULL,
    PRIMARY KEY (agent_id, version)
);
CREATE INDEX instruction_versions_bytes ON instruction_versions (agent_id, bytes);
CREATE INDEX instruction_versions_conversation ON instruction_versions (conversation_id);

-- Who wrote what there is, and when, nobody noted.
INSERT INTO instruction_versions (agent_id, version, instructions, bytes, at)
SELECT id, 1, instructions, 0, created_at FROM agents;
