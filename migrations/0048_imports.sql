-- Files with conversations of other products that somebody sent in, until what they want of one is brought in.
CREATE TABLE import_uploads (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    bytes BYTEA NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX import_uploads_user ON import_uploads (user_id, at);

-- Conversations that were brought in. Each is brought in once, whatever file it is in.
CREATE TABLE imported_conversations (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    -- Its id there.
    source_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL UNIQUE REFERENCES conversations (id) ON DELETE CASCADE,
    -- The last entry that came with it: nobody said here what stands up to it.
    last_seq BIGINT NOT NULL,
    -- The file. It is gone after a day.
    upload_id TEXT NOT NULL,
    PRIMARY KEY (user_id, source, source_id)
);
