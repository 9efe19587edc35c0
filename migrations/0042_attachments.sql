-- What people bring along with messages. What is equal is kept once for each person.
CREATE TABLE attachments (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- SHA-256 of the bytes, in hexadecimal.
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    mime TEXT NOT NULL,
    bytes BYTEA NOT NULL,
    size BIGINT NOT NULL,
    -- Of a picture.
    thumbnail BYTEA,
    width BIGINT,
    height BIGINT,
    -- When it was brought last. What no message has goes a day later.
    at BIGINT NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX attachments_size ON attachments (user_id, size);

-- Which of them messages to an agent have: that agent's model may look at them.
CREATE TABLE agent_attachments (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    attachment_id TEXT NOT NULL,
    PRIMARY KEY (agent_id, attachment_id)
);
CREATE INDEX agent_attachments_attachment ON agent_attachments (attachment_id);
