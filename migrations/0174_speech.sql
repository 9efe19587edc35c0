-- Which endpoint a person has for speech: one row for what is heard, one for what is spoken. Without one a device does it.
CREATE TABLE speech (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- 'hearing' or 'speaking'.
    part TEXT NOT NULL,
    provider_id TEXT NOT NULL REFERENCES providers (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    -- Empty where it hears.
    voice TEXT NOT NULL,
    PRIMARY KEY (user_id, part)
);
CREATE INDEX speech_provider ON speech (provider_id);
