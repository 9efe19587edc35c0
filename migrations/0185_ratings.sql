-- What a person thinks of answers: up, down or neither, and a note. It stands with the entry that the answer is,
-- whichever branch it is read in, and goes with it.
CREATE TABLE ratings (
    -- The conversation of the entry.
    conversation_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    agent_id TEXT NOT NULL,
    thumb TEXT,
    -- Empty: none.
    note TEXT NOT NULL,
    -- When a run was given the note, in Unix milliseconds.
    told_at BIGINT,
    PRIMARY KEY (conversation_id, seq),
    FOREIGN KEY (agent_id, seq) REFERENCES entries (agent_id, seq) ON DELETE CASCADE
);
CREATE UNIQUE INDEX ratings_entry ON ratings (agent_id, seq);
