-- MCP servers that want to know who asks, and their person's sign-in there by OAuth.
ALTER TABLE mcp_servers ADD COLUMN wants_sign_in BIGINT NOT NULL DEFAULT 0;
-- Why the last sign-in came to nothing.
ALTER TABLE mcp_servers ADD COLUMN sign_in_failure TEXT;

-- A sign-in under way, one for each server. Its state and its verifier are sealed in `secrets`.
CREATE TABLE mcp_sign_ins (
    server_id TEXT PRIMARY KEY REFERENCES mcp_servers (id) ON DELETE CASCADE,
    -- SHA-256 of the state by which the answer is known.
    state_hash TEXT NOT NULL UNIQUE,
    -- Where it is done and as which client, as JSON.
    grant_of TEXT NOT NULL,
    -- The device from which it was begun.
    device_id TEXT,
    expires_at BIGINT NOT NULL
);

-- What came of one. The tokens are sealed in `secrets`.
CREATE TABLE mcp_connections (
    server_id TEXT PRIMARY KEY REFERENCES mcp_servers (id) ON DELETE CASCADE,
    grant_of TEXT NOT NULL,
    -- Another one with each token, so that of two hubs that renew it one does.
    generation TEXT NOT NULL,
    connected_at BIGINT NOT NULL,
    -- Until when the token is good, where that was said.
    expires_at BIGINT,
    -- Until then somebody renews it.
    renewing_until BIGINT NOT NULL DEFAULT 0,
    -- Its person has to sign in once more.
    is_over BIGINT NOT NULL DEFAULT 0
);
