-- Times are Unix milliseconds. Secrets people carry (session, token, invite) are stored as SHA-256.

CREATE TABLE users (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    -- The name as it is compared: trimmed and in lower case.
    login TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    role TEXT NOT NULL,
    disabled BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);

CREATE TABLE devices (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    session_hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX devices_user ON devices (user_id);

CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token_hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT
);
CREATE INDEX tokens_user ON tokens (user_id);

CREATE TABLE invites (
    invite_hash TEXT PRIMARY KEY,
    created_by TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT
);

-- Failed sign-ins by login name, whether or not such a person exists.
CREATE TABLE sign_in_failures (
    login TEXT PRIMARY KEY,
    count BIGINT NOT NULL,
    last_at BIGINT NOT NULL
);

-- Settings of the whole hub: sign_up mode and the like.
CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE secrets (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    provider_id TEXT NOT NULL,
    purpose TEXT NOT NULL,
    -- The data key, sealed with the master key; the value, sealed with the data key.
    sealed_key BYTEA NOT NULL,
    sealed_value BYTEA NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (user_id, provider_id, purpose)
);

CREATE TABLE providers (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    base_url TEXT,
    created_at BIGINT NOT NULL
);
CREATE INDEX providers_user ON providers (user_id);
