-- The workspace whose agents are told of it, where that is not one agent and not all.
ALTER TABLE memories ADD COLUMN workspace_id TEXT REFERENCES folders (id) ON DELETE CASCADE;
CREATE INDEX memories_workspace ON memories (workspace_id);
