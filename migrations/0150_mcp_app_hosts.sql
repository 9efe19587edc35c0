-- Hosts that pages of a server's tools wanted to reach, and what its person said to that; as JSON.
ALTER TABLE mcp_servers ADD COLUMN app_hosts TEXT NOT NULL DEFAULT '{}';
