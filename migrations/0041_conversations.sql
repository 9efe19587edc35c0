-- Any number of conversations for each agent. The one used last is the one that schedules, programs and the
-- agent's page join.
ALTER TABLE conversations ADD COLUMN title TEXT NOT NULL DEFAULT '';
-- Orders the conversations of an agent by their last use, whatever the clock said.
ALTER TABLE conversations ADD COLUMN place BIGINT NOT NULL DEFAULT 0;
-- When a person or a program last said something in it, or when it was begun.
ALTER TABLE conversations ADD COLUMN used_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN pinned_at BIGINT;
ALTER TABLE conversations ADD COLUMN archived_at BIGINT;
-- It is removed for good some time after.
ALTER TABLE conversations ADD COLUMN deleted_at BIGINT;
UPDATE conversations SET used_at = created_at;
CREATE INDEX conversations_place ON conversations (agent_id, place);

-- A run reads what was said in its own conversation.
ALTER TABLE unread_messages ADD COLUMN conversation_id TEXT;
UPDATE unread_messages SET conversation_id = (
    SELECT e.conversation_id FROM entries e
    WHERE e.agent_id = unread_messages.agent_id AND e.seq = unread_messages.seq
);
