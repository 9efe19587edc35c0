CREATE TABLE passkeys (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- The authenticator's name for it, in base64url.
    credential_id TEXT NOT NULL UNIQUE,
    -- As the authenticator gave it (COSE).
    public_key BYTEA NOT NULL,
    -- How often it was used, as far as its authenticator counts.
    sign_count BIGINT NOT NULL,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT
);
CREATE INDEX passkeys_user ON passkeys (user_id);

-- Challenges that were answered, by SHA-256, until their time is up: none is good twice.
CREATE TABLE used_challenges (
    challenge_hash TEXT PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
