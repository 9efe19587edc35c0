-- What is remembered of a person from one conversation to the next.
CREATE TABLE memories (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- The one agent that is told of it. NULL: all of the person's that have a memory.
    agent_id TEXT REFERENCES agents (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    kind TEXT NOT NULL,
    -- A JSON list.
    tags TEXT NOT NULL,
    importance BIGINT NOT NULL,
    -- What it is found by, with spaces between.
    words TEXT NOT NULL,
    -- kept, proposed or forgotten.
    state TEXT NOT NULL,
    -- person or agent.
    author TEXT NOT NULL,
    writer_id TEXT REFERENCES agents (id) ON DELETE SET NULL,
    conversation_id TEXT REFERENCES conversations (id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL
);
CREATE INDEX memories_user ON memories (user_id, state, changed_at);
CREATE INDEX memories_agent ON memories (agent_id);
CREATE INDEX memories_writer ON memories (writer_id);
CREATE INDEX memories_conversation ON memories (conversation_id);

-- Up to when memories stand in the prompt of its runs. NULL: none ever stood there.
ALTER TABLE conversations ADD COLUMN memories_at BIGINT;
