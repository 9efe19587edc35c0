-- Programs of the machine that administrators allow as MCP servers. A server whose address is stdio:NAME is one.
CREATE TABLE mcp_programs (
    name TEXT PRIMARY KEY,
    words TEXT NOT NULL,
    hosts TEXT NOT NULL,
    variables TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
