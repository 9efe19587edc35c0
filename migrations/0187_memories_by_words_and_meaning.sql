-- The words that memories are found by, so that a search reads those that have one of them, of one person.
CREATE TABLE memory_words (
    user_id TEXT NOT NULL,
    -- The letters that words which count as alike have in common.
    beginning TEXT NOT NULL,
    word TEXT NOT NULL,
    memory_id TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, beginning, word, memory_id)
);
CREATE INDEX memory_words_memory ON memory_words (memory_id);
-- A digest of what it says, by which another one that says the same is found. NULL: it is of a version of before, and
-- its words are not there yet.
ALTER TABLE memories ADD COLUMN said TEXT;
CREATE INDEX memories_said ON memories (said, user_id, state);
CREATE INDEX memories_important ON memories (user_id, state, importance DESC, changed_at DESC, id);

-- The model by which a person's memories are found by their meaning. No row: by their words alone.
CREATE TABLE memory_models (
    -- Of one provider and model; another choice has another one.
    choice TEXT PRIMARY KEY,
    user_id TEXT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
    provider_id TEXT NOT NULL REFERENCES providers (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    -- When it is looked which memories have no vector of it. NULL: all have one.
    due_at BIGINT,
    -- Why vectors could not be made when it was last tried. NULL: they could.
    failure TEXT
);
CREATE INDEX memory_models_provider ON memory_models (provider_id);
CREATE INDEX memory_models_due ON memory_models (due_at);
-- What a memory means to the model of its person.
CREATE TABLE memory_vectors (
    memory_id TEXT PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
    choice TEXT NOT NULL REFERENCES memory_models (choice) ON DELETE CASCADE,
    dimensions BIGINT NOT NULL,
    -- Numbers of 32 bits, little-endian; their squares add up to one.
    vector BYTEA NOT NULL
);
CREATE INDEX memory_vectors_choice ON memory_vectors (choice, memory_id);
