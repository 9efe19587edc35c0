-- What a person lets their agents know around what they say: a row for each source that is on.
CREATE TABLE context_sources (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    -- What is known of it, as JSON.
    value TEXT NOT NULL,
    PRIMARY KEY (user_id, source)
);

-- Keys of the person's context that they or agents wrote.
CREATE TABLE context_keys (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    -- The agent that wrote it. NULL: the person, or an agent that is gone.
    writer_id TEXT REFERENCES agents (id) ON DELETE SET NULL,
    -- Strangers may have had a part in it.
    untrusted BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, name)
);
CREATE INDEX context_keys_writer ON context_keys (writer_id);

-- What agents may know of it. Without a row one sees the context, and does not hear what the others said.
CREATE TABLE context_agents (
    agent_id TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
    sees BIGINT NOT NULL,
    hears BIGINT NOT NULL
);

-- The last answers of a person's agents, for those that hear them.
CREATE TABLE context_sayings (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    untrusted BIGINT NOT NULL,
    said_at BIGINT NOT NULL
);
CREATE INDEX context_sayings_user ON context_sayings (user_id, id);
CREATE INDEX context_sayings_agent ON context_sayings (agent_id, id);
CREATE INDEX context_sayings_conversation ON context_sayings (conversation_id);

-- What of it a conversation was told last, as JSON. NULL: nothing, or what it was told has left its context.
ALTER TABLE conversations ADD COLUMN context_told TEXT;
