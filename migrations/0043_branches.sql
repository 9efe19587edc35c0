-- A conversation may begin as another one went up to some entry. What it has of others stays theirs, and is read
-- from there, oldest part first.
CREATE TABLE conversation_segments (
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    ordinal BIGINT NOT NULL,
    source_id TEXT NOT NULL,
    -- The first entry that is not part of it, and the first message.
    end_seq BIGINT NOT NULL,
    messages_end BIGINT NOT NULL,
    PRIMARY KEY (conversation_id, ordinal)
);
CREATE INDEX conversation_segments_source ON conversation_segments (source_id);

-- Branches of one conversation stand in the list as one: the branch that was used last. Always set; one that was
-- forgotten would be nobody's.
ALTER TABLE conversations ADD COLUMN family TEXT;
UPDATE conversations SET family = id;
CREATE INDEX conversations_family ON conversations (family);
CREATE INDEX runs_conversation ON runs (conversation_id);
-- Which branch this one left, and the first entry there that it has something else instead of.
ALTER TABLE conversations ADD COLUMN branched_from TEXT;
ALTER TABLE conversations ADD COLUMN branched_at BIGINT;
