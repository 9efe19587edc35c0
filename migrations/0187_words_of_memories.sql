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
CREATE INDEX memories_said ON memories (said, user_id);
CREATE INDEX memories_important ON memories (user_id, state, importance DESC, changed_at DESC, id);
