-- Every change of a file is a version. The newest is the file itself.
ALTER TABLE agent_files ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
-- Who wrote it, as JSON. Without one it is not known.
ALTER TABLE agent_files ADD COLUMN author TEXT;

-- What files were before.
CREATE TABLE file_versions (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    version BIGINT NOT NULL,
    -- None: the file was deleted.
    bytes BYTEA,
    size BIGINT NOT NULL,
    digest TEXT NOT NULL,
    author TEXT,
    at BIGINT NOT NULL,
    PRIMARY KEY (agent_id, path, version)
);
CREATE INDEX file_versions_size ON file_versions (agent_id, size);

-- What of a file its agent read last in a conversation: it changes what it has read, and nothing else.
CREATE TABLE file_reads (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (conversation_id, path)
);
CREATE INDEX file_reads_agent ON file_reads (agent_id);
