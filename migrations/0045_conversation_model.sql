-- The model that a conversation is held with, of those of its agent's provider. Empty: the agent's own.
ALTER TABLE conversations ADD COLUMN model TEXT NOT NULL DEFAULT '';
