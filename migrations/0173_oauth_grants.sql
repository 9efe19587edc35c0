-- What a person lets a program do that asked for it by OAuth. At first there is a code, which the program brings for a
-- token; the row then goes with the token.
CREATE TABLE oauth_grants (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token_id TEXT REFERENCES tokens (id) ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    -- What the token is called.
    name TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    -- The origin of the hub that the token is for.
    origin TEXT NOT NULL,
    scope TEXT NOT NULL,
    relays BIGINT NOT NULL,
    -- What the program has to show with the code, hashed (S256).
    challenge TEXT NOT NULL,
    code_hash TEXT NOT NULL UNIQUE,
    code_ends_at BIGINT NOT NULL,
    -- How often its tokens were made: those that it has now are made of this number.
    rotation BIGINT NOT NULL DEFAULT 0,
    rotated_at BIGINT,
    access_ends_at BIGINT,
    refresh_ends_at BIGINT
);
CREATE INDEX oauth_grants_by_person ON oauth_grants (user_id, code_ends_at);
CREATE INDEX oauth_grants_by_token ON oauth_grants (token_id);
