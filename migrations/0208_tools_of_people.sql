-- Tools that a person wrote for an agent or brought in a file, beside those that it made for itself. `reach` is
-- protocol::view::ToolReach as JSON: what such a tool may touch.
ALTER TABLE agent_tools ADD COLUMN author TEXT NOT NULL DEFAULT 'agent';
ALTER TABLE agent_tools ADD COLUMN reach TEXT NOT NULL DEFAULT '{"page":true}';
-- 1: it came in a file and its person has not accepted it. No model is told of it, and nothing calls it.
ALTER TABLE agent_tools ADD COLUMN waiting BIGINT NOT NULL DEFAULT 0;
