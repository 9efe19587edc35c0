-- The prompts that a server keeps for people, as it said the last time it was asked; as JSON.
ALTER TABLE mcp_servers ADD COLUMN prompts TEXT NOT NULL DEFAULT '[]';
