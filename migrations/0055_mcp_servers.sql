-- MCP servers whose tools a person's agents may be given. What goes along with each request is sealed in `secrets`.
CREATE TABLE mcp_servers (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- With it the names of its tools begin.
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    -- Names of the headers that are sealed, as JSON.
    headers TEXT NOT NULL,
    -- When it last said which tools it has, and why it did not say so the last time it was asked.
    looked_at BIGINT,
    failure TEXT,
    -- Tools that it offers beyond those that are kept.
    left_out BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    UNIQUE (user_id, name)
);

-- Its tools as it offers them, and as its person said yes to them: one that differs is not called.
CREATE TABLE mcp_tools (
    server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    -- As agents call it.
    called TEXT NOT NULL,
    offered TEXT NOT NULL,
    digest TEXT NOT NULL,
    accepted TEXT,
    accepted_digest TEXT,
    is_on BIGINT NOT NULL,
    -- Why it cannot be called as it is offered.
    problem TEXT,
    PRIMARY KEY (server_id, name)
);
CREATE INDEX mcp_tools_called ON mcp_tools (called);

-- Which servers an agent may use. It begins with none.
CREATE TABLE agent_mcp_servers (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
    PRIMARY KEY (agent_id, server_id)
);
CREATE INDEX agent_mcp_servers_server ON agent_mcp_servers (server_id);
