-- What an agent keeps as files, by path.
CREATE TABLE agent_files (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    bytes BYTEA NOT NULL,
    size BIGINT NOT NULL,
    -- SHA-256 in hexadecimal: a signed address opens these bytes or none.
    digest TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (agent_id, path)
);

-- Archives that were sent in and not made into an agent yet. They go after a day.
CREATE TABLE archive_uploads (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    bytes BYTEA NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX archive_uploads_user ON archive_uploads (user_id, at);
