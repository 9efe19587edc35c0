-- The sender's own key of a message: what comes again under it is not written again.
CREATE TABLE sent_messages (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (agent_id, key)
);
