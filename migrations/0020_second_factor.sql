-- Who signs in with a code besides the password. What the codes come from is in `secrets`.
CREATE TABLE second_factors (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    -- The half minute of the newest code that was used: it and those before it count no more.
    last_step BIGINT NOT NULL
);

-- Codes for when the device with the others is not there, by SHA-256. One that was used is gone.
CREATE TABLE recovery_codes (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    code_hash TEXT NOT NULL,
    PRIMARY KEY (user_id, code_hash)
);

-- Browsers that brought the right password and still owe the code, by the SHA-256 of a cookie of theirs.
CREATE TABLE pending_sign_ins (
    secret_hash TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);
CREATE INDEX pending_sign_ins_user ON pending_sign_ins (user_id);
