-- A call that waits for a person, or did. It outlives the process that asked.
CREATE TABLE approvals (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    conversation_id TEXT NOT NULL,
    -- NULL if the agent's page calls.
    run_id TEXT REFERENCES runs (id) ON DELETE CASCADE,
    turn BIGINT NOT NULL,
    call_id TEXT NOT NULL,
    -- protocol::approval::Approval as JSON: what was shown.
    shown TEXT NOT NULL,
    -- SHA-256 over the call, its agent, run and turn.
    hash TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    settled_at BIGINT,
    -- once, run, half_hour, always or deny; expired or withdrawn.
    decision TEXT,
    -- What the person wants the agent to know.
    word TEXT,
    answered_by TEXT,
    -- The browser it was answered in, by the name it had then.
    answered_on TEXT,
    -- When the call went on with the answer, once.
    taken_at BIGINT
);
CREATE UNIQUE INDEX approvals_of_runs ON approvals (run_id, turn, call_id);
CREATE INDEX approvals_open ON approvals (user_id, agent_id) WHERE settled_at IS NULL;

-- What a person wants of calls of tools, kept.
CREATE TABLE policy_rules (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- NULL: all agents of the person.
    agent_id TEXT REFERENCES agents (id) ON DELETE CASCADE,
    -- model or page; NULL: both.
    asker TEXT,
    tool TEXT NOT NULL,
    about TEXT,
    -- allow, ask or deny.
    verdict TEXT NOT NULL,
    run_id TEXT REFERENCES runs (id) ON DELETE CASCADE,
    uses_left BIGINT,
    until BIGINT,
    made_at BIGINT NOT NULL,
    -- The answer that made it.
    approval_id TEXT
);
CREATE INDEX policy_rules_of_people ON policy_rules (user_id);

-- What a page was allowed once and for all is a rule like others.
INSERT INTO policy_rules (id, user_id, agent_id, asker, tool, verdict, made_at)
SELECT 'page-' || c.agent_id || '-' || c.tool, a.user_id, c.agent_id, 'page', c.tool, 'allow', c.at
FROM page_consents c JOIN agents a ON a.id = c.agent_id;

-- Who decided that the call may be made, or not: default, hook, network, rule, person, time or limit.
ALTER TABLE tool_calls ADD COLUMN decided_by TEXT;
ALTER TABLE tool_calls ADD COLUMN rule_id TEXT;
ALTER TABLE tool_calls ADD COLUMN approval_id TEXT;
-- The person who answered.
ALTER TABLE tool_calls ADD COLUMN answered_by TEXT;
