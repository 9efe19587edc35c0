-- After how many days without use a person's conversations are deleted; NULL: never.
ALTER TABLE users ADD COLUMN conversations_kept_days BIGINT;
CREATE INDEX users_conversations_kept ON users (id) WHERE conversations_kept_days IS NOT NULL;
CREATE INDEX conversations_deleted ON conversations (deleted_at) WHERE deleted_at IS NOT NULL;
