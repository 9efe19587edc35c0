-- To whom the owner of a conversation shows it: they read it, and nothing else.
CREATE TABLE conversation_shares (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    reader_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    shared_at BIGINT NOT NULL,
    UNIQUE (conversation_id, reader_id)
);
CREATE INDEX conversation_shares_reader ON conversation_shares (reader_id, shared_at);
