-- What a person writes in a conversation and has not sent. The row stays when it is empty: its version goes on.
CREATE TABLE drafts (
    conversation_id TEXT PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    version BIGINT NOT NULL
);
CREATE INDEX drafts_user ON drafts (user_id);
-- What all that somebody is writing comes to.
CREATE INDEX drafts_being_written ON drafts (user_id) WHERE text <> '';
