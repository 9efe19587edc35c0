-- What people look for in their conversations: a row for each entry with words, as far as it was read. The words
-- themselves are where each database has its full-text index (`Dialect::full_text`).
CREATE TABLE search_documents (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    -- Names its words in SQLite.
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (agent_id, seq)
);
CREATE INDEX search_documents_number ON search_documents (number);

-- The entry up to which an agent's log was read for it.
CREATE TABLE search_progress (
    agent_id TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL
);
