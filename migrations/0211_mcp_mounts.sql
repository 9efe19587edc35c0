-- Servers whose resources an agent reads as files.
CREATE TABLE agent_mcp_mounts (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
    PRIMARY KEY (agent_id, server_id)
);
CREATE INDEX agent_mcp_mounts_server ON agent_mcp_mounts (server_id);
