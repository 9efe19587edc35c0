-- Files lie in folders: each agent has one of its own, and a person makes workspaces, which agents of theirs share.
CREATE TABLE folders (
    -- Of an agent's own folder the agent's id.
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- None: a workspace.
    agent_id TEXT REFERENCES agents (id) ON DELETE CASCADE,
    -- Of a workspace. An agent's folder has the agent's.
    name TEXT,
    created_at BIGINT NOT NULL
);
CREATE INDEX folders_by_user ON folders (user_id, created_at);
CREATE INDEX folders_by_agent ON folders (agent_id);
CREATE UNIQUE INDEX workspaces_by_name ON folders (user_id, name) WHERE agent_id IS NULL;
INSERT INTO folders (id, user_id, agent_id, created_at)
SELECT id, user_id, id, created_at FROM agents
WHERE id IN (SELECT agent_id FROM agent_files UNION SELECT agent_id FROM file_versions UNION SELECT agent_id FROM file_reads);

-- The workspace that an agent has.
CREATE TABLE workspace_agents (
    agent_id TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
    folder_id TEXT NOT NULL REFERENCES folders (id) ON DELETE CASCADE
);
CREATE INDEX workspace_agents_by_folder ON workspace_agents (folder_id);

CREATE TABLE files (
    folder_id TEXT NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    bytes BYTEA NOT NULL,
    size BIGINT NOT NULL,
    -- SHA-256 in hexadecimal: a signed address opens these bytes or none.
    digest TEXT NOT NULL,
    at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    -- Who wrote it, as JSON. Without one it is not known.
    author TEXT,
    -- 1: an agent that had read strangers' words wrote it where others read.
    untrusted BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (folder_id, path)
);
CREATE INDEX files_size ON files (folder_id, size);
INSERT INTO files (folder_id, path, bytes, size, digest, at, version, author)
SELECT agent_id, path, bytes, size, digest, at, version, author FROM agent_files;
DROP TABLE agent_files;

CREATE TABLE folder_versions (
    folder_id TEXT NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    version BIGINT NOT NULL,
    -- None: the file was deleted.
    bytes BYTEA,
    size BIGINT NOT NULL,
    digest TEXT NOT NULL,
    author TEXT,
    at BIGINT NOT NULL,
    untrusted BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (folder_id, path, version)
);
INSERT INTO folder_versions (folder_id, path, version, bytes, size, digest, author, at)
SELECT agent_id, path, version, bytes, size, digest, author, at FROM file_versions;
DROP TABLE file_versions;
ALTER TABLE folder_versions RENAME TO file_versions;
CREATE INDEX file_versions_size ON file_versions (folder_id, size);

CREATE TABLE folder_reads (
    folder_id TEXT NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (conversation_id, folder_id, path)
);
INSERT INTO folder_reads (folder_id, conversation_id, path, digest)
SELECT agent_id, conversation_id, path, digest FROM file_reads;
DROP TABLE file_reads;
ALTER TABLE folder_reads RENAME TO file_reads;
CREATE INDEX file_reads_folder ON file_reads (folder_id);
