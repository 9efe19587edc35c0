-- Agents that agents of other people may ask. What that costs is counted for a token that nobody carries.
ALTER TABLE tokens ADD COLUMN carried BIGINT NOT NULL DEFAULT 1;
CREATE TABLE agent_shares (
    id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    token_id TEXT NOT NULL UNIQUE REFERENCES tokens (id) ON DELETE CASCADE,
    -- One of the two.
    person_id TEXT REFERENCES users (id) ON DELETE CASCADE,
    group_id TEXT REFERENCES people_groups (id) ON DELETE CASCADE,
    shared_at BIGINT NOT NULL,
    UNIQUE (agent_id, person_id),
    UNIQUE (agent_id, group_id)
);
CREATE INDEX agent_shares_person ON agent_shares (person_id);
CREATE INDEX agent_shares_group ON agent_shares (group_id);
-- Who may ask by which share. Whoever may by several is named for each.
CREATE VIEW askable_agents AS
SELECT s.person_id AS user_id, s.id AS share_id, 0 AS by_group FROM agent_shares s WHERE s.person_id IS NOT NULL
UNION ALL
SELECT m.user_id, s.id, 1 FROM people_group_members m JOIN agent_shares s ON s.group_id = m.group_id;
-- What an agent of somebody else is asked: the row of `delegations` has the asker as its agent, which waits for it
-- there, and the run that works on it.
CREATE TABLE shared_tasks (
    delegation_id TEXT PRIMARY KEY REFERENCES delegations (id) ON DELETE CASCADE,
    -- What is gone by now is named here still.
    share_id TEXT NOT NULL,
    token_id TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    -- The agent with its person's name, and the asker with its person's.
    name TEXT NOT NULL,
    asker TEXT NOT NULL
);
CREATE INDEX shared_tasks_owner ON shared_tasks (owner_id, agent_id);
CREATE INDEX shared_tasks_token ON shared_tasks (token_id);
