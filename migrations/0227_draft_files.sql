-- The files that go with a draft once it is sent, in the order in which they were added. As long as they are here, they
-- are not removed.
CREATE TABLE draft_files (
    conversation_id TEXT NOT NULL REFERENCES drafts (conversation_id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    attachment_id TEXT NOT NULL,
    place BIGINT NOT NULL,
    PRIMARY KEY (conversation_id, attachment_id)
);
CREATE INDEX draft_files_attachment ON draft_files (user_id, attachment_id);
