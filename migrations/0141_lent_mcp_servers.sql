-- MCP servers that administrators share. Whoever uses one has a row of their own with the same address, and with tools,
-- a sign-in and choices of their own; what is sealed for the shared one is sent along.
ALTER TABLE mcp_servers ADD COLUMN everyone BIGINT NOT NULL DEFAULT 0;
-- The shared server, which may be gone.
ALTER TABLE mcp_servers ADD COLUMN lent_from TEXT;
CREATE UNIQUE INDEX mcp_servers_lent ON mcp_servers (user_id, lent_from);

CREATE TABLE mcp_shared_with_groups (
    server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
    group_id TEXT NOT NULL REFERENCES people_groups (id) ON DELETE CASCADE,
    PRIMARY KEY (server_id, group_id)
);
CREATE INDEX mcp_shared_with_groups_group ON mcp_shared_with_groups (group_id);

-- Who may use which. A share ends with the role of whoever shares.
CREATE VIEW lent_mcp_servers AS
SELECT u.id AS user_id, s.id AS server_id, s.user_id AS owner_id
FROM mcp_servers s
JOIN users o ON o.id = s.user_id AND o.role = 'admin' AND o.disabled = 0
JOIN users u ON u.id <> s.user_id
WHERE s.lent_from IS NULL
  AND (s.everyone = 1
   OR EXISTS (SELECT 1 FROM mcp_shared_with_groups g
              JOIN people_group_members m ON m.group_id = g.group_id
              WHERE g.server_id = s.id AND m.user_id = u.id));
