-- One log per agent: `last_seq` is the newest entry's number, raised in the commit that appends it.
CREATE TABLE agents (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    colour TEXT NOT NULL,
    instructions TEXT NOT NULL,
    provider_id TEXT,
    model TEXT NOT NULL,
    -- JSON list of tool names.
    tools TEXT NOT NULL,
    max_output_tokens BIGINT NOT NULL,
    home TEXT NOT NULL,
    last_seq BIGINT NOT NULL DEFAULT 0,
    skin_version BIGINT NOT NULL DEFAULT 0,
    status TEXT NOT NULL DEFAULT 'idle',
    last_line TEXT,
    message_count BIGINT NOT NULL DEFAULT 0,
    input_tokens BIGINT NOT NULL DEFAULT 0,
    output_tokens BIGINT NOT NULL DEFAULT 0,
    -- Whole micro-dollars; NULL while no call had a known price.
    cost BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX agents_user ON agents (user_id, updated_at);

CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL
);
CREATE INDEX conversations_agent ON conversations (agent_id, created_at);

-- One execution of the loop. `token` is the lease: an append with another one is refused.
CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    home TEXT NOT NULL,
    owner TEXT NOT NULL,
    token TEXT NOT NULL,
    running BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    finished_at BIGINT
);
-- At most one active run for each agent.
CREATE UNIQUE INDEX runs_active ON runs (agent_id) WHERE running = 1;

CREATE TABLE entries (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    conversation_id TEXT,
    run_id TEXT,
    -- Set on the loop's own entries, counted from 0 in the run.
    ordinal BIGINT,
    kind TEXT NOT NULL,
    -- protocol::log::EntryBody as JSON.
    body TEXT NOT NULL,
    PRIMARY KEY (agent_id, seq)
);
CREATE UNIQUE INDEX entries_ordinal ON entries (run_id, ordinal);
CREATE INDEX entries_conversation ON entries (conversation_id, seq);

-- What the gateway let through: the intent first, then the outcome.
CREATE TABLE tool_calls (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    call_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    turn BIGINT NOT NULL,
    name TEXT NOT NULL,
    input TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    finished_at BIGINT,
    -- done, failed, refused, stopped or unknown.
    outcome TEXT,
    PRIMARY KEY (run_id, turn, call_id)
);

CREATE TABLE skins (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    -- protocol::frame::SkinPage as JSON.
    page TEXT NOT NULL,
    run_id TEXT,
    at BIGINT NOT NULL,
    PRIMARY KEY (agent_id, version)
);

-- `flo.state`: shared by agent, page and devices.
CREATE TABLE agent_state (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (agent_id, key)
);

-- The `storage` tool: the agent's own.
CREATE TABLE agent_storage (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (agent_id, key)
);
