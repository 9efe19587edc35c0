-- What an agent read last of a file on a device in a conversation, by its digest: only that may it change. Of a
-- conversation the newest are kept.
CREATE TABLE device_file_reads (
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    digest TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (conversation_id, path)
);
