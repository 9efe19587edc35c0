-- A temporary conversation has no memory, is found by no search, and is removed a day after it was last used.
ALTER TABLE conversations ADD COLUMN temporary BIGINT NOT NULL DEFAULT 0;
CREATE INDEX conversations_temporary ON conversations (used_at) WHERE temporary = 1;
