-- Hubs and agents elsewhere that a person's agents may ask, by A2A. The token of one is sealed in `secrets`.
CREATE TABLE peers (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    has_token BIGINT NOT NULL DEFAULT 0,
    is_on BIGINT NOT NULL DEFAULT 1,
    -- When it last said which agents it has, and why it did not the last time it was asked.
    looked_at BIGINT,
    failure TEXT,
    left_out BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    UNIQUE (user_id, name)
);
CREATE TABLE peer_agents (
    id TEXT PRIMARY KEY,
    peer_id TEXT NOT NULL REFERENCES peers (id) ON DELETE CASCADE,
    -- Where it is called; of one that cannot be, where its card is.
    url TEXT NOT NULL,
    -- What it says of itself now, and what its person said yes to, as JSON.
    offered TEXT NOT NULL,
    accepted TEXT,
    is_on BIGINT NOT NULL DEFAULT 0,
    UNIQUE (peer_id, url)
);
-- What an agent elsewhere is asked: the row of `delegations` has the asker as its agent, which waits for it here.
CREATE TABLE peer_tasks (
    delegation_id TEXT PRIMARY KEY REFERENCES delegations (id) ON DELETE CASCADE,
    -- What is gone by now is named here still.
    peer_id TEXT NOT NULL,
    url TEXT NOT NULL,
    name TEXT NOT NULL,
    -- Whether the message went out. Its id is that of the delegation.
    sent BIGINT NOT NULL DEFAULT 0,
    task_id TEXT,
    context_id TEXT,
    -- It wants to hear more before it goes on.
    asks BIGINT NOT NULL DEFAULT 0,
    said TEXT NOT NULL DEFAULT '',
    -- The last words of that, for whoever looks on.
    latest TEXT NOT NULL DEFAULT ''
);
CREATE INDEX peer_tasks_by_peer ON peer_tasks (peer_id);
-- The id under which a program said what a run answers: said once more, it is the same.
ALTER TABLE runs ADD COLUMN asked_as TEXT;
CREATE UNIQUE INDEX runs_asked_as ON runs (asked_by, agent_id, asked_as) WHERE asked_as IS NOT NULL;
