-- What there is to do in a conversation is found however long that is.
CREATE INDEX entries_todo ON entries (conversation_id, seq) WHERE kind = 'todo';
