-- The stems that memories are found by, instead of words and how they begin. The hub reads them anew when it starts.
DROP TABLE memory_words;
CREATE TABLE memory_words (
    user_id TEXT NOT NULL,
    stem TEXT NOT NULL,
    memory_id TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, stem, memory_id)
);
CREATE INDEX memory_words_memory ON memory_words (memory_id);
UPDATE memories SET said = NULL;

-- Searches of agents that it fitted best.
ALTER TABLE memories ADD COLUMN used BIGINT NOT NULL DEFAULT 0;

-- The entry that it came from, in the log of its conversation. NULL: nobody knows.
ALTER TABLE memories ADD COLUMN seq BIGINT;
-- The address of the page that its agent had read last. NULL: none, or no words of strangers were in it.
ALTER TABLE memories ADD COLUMN page TEXT;
-- 1: words of strangers had a part in it, also once its person kept it.
ALTER TABLE memories ADD COLUMN strangers BIGINT NOT NULL DEFAULT 0;
UPDATE memories SET strangers = 1 WHERE state = 'proposed';

-- An older one beside which it may not be true, as long as its person has not said which holds. NULL: none.
ALTER TABLE memories ADD COLUMN against_id TEXT REFERENCES memories (id) ON DELETE SET NULL;
CREATE INDEX memories_against ON memories (against_id);
CREATE INDEX memories_asked ON memories (user_id, state, changed_at) WHERE against_id IS NOT NULL;
