-- What was said in a conversation that nobody has used for long: one piece in place of its rows in `entries`. It is there
-- or they are, and never both.
CREATE TABLE packed_conversations (
    conversation_id TEXT PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    -- The numbers of its first and of its last entry. Those of other conversations may stand between them.
    first_seq BIGINT NOT NULL,
    last_seq BIGINT NOT NULL,
    entries BIGINT NOT NULL,
    -- Of the bodies of its entries, as they count for their person.
    bytes BIGINT NOT NULL,
    -- What the agent had seen and been told when it was packed.
    untrusted BIGINT NOT NULL,
    said BIGINT NOT NULL,
    private BIGINT NOT NULL,
    packed_at BIGINT NOT NULL,
    -- SHA-256 of the piece, which is compressed.
    digest TEXT NOT NULL,
    piece BYTEA NOT NULL
);
CREATE INDEX packed_conversations_agent ON packed_conversations (agent_id, last_seq);

-- After how many days without use a person's conversations are packed. NULL: as an administrator says; 0: never.
ALTER TABLE users ADD COLUMN conversations_packed_days BIGINT;
-- When it was unpacked; 0: lately, and nobody has noted when. NULL: it never was, or is packed.
ALTER TABLE conversations ADD COLUMN unpacked_at BIGINT;
CREATE INDEX conversations_unpacked ON conversations (unpacked_at) WHERE unpacked_at = 0;
-- The packed conversation that its entry is in.
ALTER TABLE search_documents ADD COLUMN packed_in TEXT;
