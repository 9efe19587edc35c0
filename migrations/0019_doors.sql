-- Failed attempts by what is counted: a login name, a browser that was signed in before, a network address.
DROP TABLE sign_in_failures;
CREATE TABLE attempts (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    count BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (kind, key)
);
CREATE INDEX attempts_last ON attempts (last_at);

-- Browsers from which somebody signed in before, by the SHA-256 of a secret in a cookie of theirs.
CREATE TABLE known_browsers (
    secret_hash TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (secret_hash, user_id)
);
CREATE INDEX known_browsers_user ON known_browsers (user_id);

-- Sensitive events. Lines outlive the people in them, so they hold names as they were.
CREATE TABLE audit (
    seq BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    action TEXT NOT NULL,
    outcome TEXT NOT NULL,
    -- Who did it, and how they came in; empty where nobody was signed in.
    actor TEXT NOT NULL,
    actor_name TEXT NOT NULL,
    via TEXT NOT NULL,
    -- Whom it concerns; empty: nobody.
    person TEXT NOT NULL,
    person_name TEXT NOT NULL,
    object TEXT NOT NULL,
    address TEXT NOT NULL,
    -- SHA-256 of the hash of the line before and of this line.
    hash TEXT NOT NULL
);
CREATE INDEX audit_person ON audit (person, seq);
CREATE INDEX audit_actor ON audit (actor, seq);

-- One row. Which lines there have to be, under a seal that needs the master key.
CREATE TABLE audit_head (
    id BIGINT PRIMARY KEY,
    -- The newest line.
    seq BIGINT NOT NULL,
    hash TEXT NOT NULL,
    -- The oldest line, and the hash of the line before it.
    first_seq BIGINT NOT NULL,
    before_hash TEXT NOT NULL,
    seal TEXT NOT NULL
);

-- A link with which somebody who forgot their password chooses a new one.
CREATE TABLE password_resets (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    code_hash TEXT NOT NULL UNIQUE,
    expires_at BIGINT NOT NULL
);
