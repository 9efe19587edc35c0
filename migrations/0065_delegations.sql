-- A sub-agent: who made it, and the agent at the top, whose files, tools, rules and money it shares.
ALTER TABLE agents ADD COLUMN parent_id TEXT;
ALTER TABLE agents ADD COLUMN root_id TEXT;
CREATE INDEX agents_by_root ON agents (root_id);
-- The run with which began what led to this one.
ALTER TABLE runs ADD COLUMN chain TEXT;
CREATE INDEX runs_by_chain ON runs (chain);
-- What one agent asked another to do.
CREATE TABLE delegations (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    asker_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    asker_run TEXT NOT NULL,
    asker_conversation TEXT NOT NULL,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    conversation_id TEXT NOT NULL,
    run_id TEXT,
    chain TEXT NOT NULL,
    depth BIGINT NOT NULL,
    task TEXT NOT NULL,
    -- What the asker had seen when it asked.
    untrusted BIGINT NOT NULL,
    private BIGINT NOT NULL,
    state TEXT NOT NULL,
    why TEXT NOT NULL DEFAULT '',
    -- 1: the asker knows what came of it, or is not to be told. 2: it was woken with it.
    delivered BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    started_at BIGINT,
    finished_at BIGINT,
    -- It takes no longer than this.
    until BIGINT NOT NULL
);
CREATE INDEX delegations_by_asker ON delegations (asker_id, created_at);
CREATE INDEX delegations_by_agent ON delegations (agent_id, created_at);
CREATE INDEX delegations_by_asker_run ON delegations (asker_run, state);
CREATE INDEX delegations_by_chain ON delegations (chain);
CREATE INDEX delegations_open ON delegations (user_id, created_at) WHERE state IN ('queued', 'running');
CREATE UNIQUE INDEX delegations_by_run ON delegations (run_id);
