-- The model that a person chose for this one answer; NULL: the one that the conversation was held with.
ALTER TABLE runs ADD COLUMN model TEXT;
-- The model that is to answer this message; NULL: the one that the conversation is held with.
ALTER TABLE unread_messages ADD COLUMN model TEXT;
