-- The most harm that a call may do for which the rule holds: none, low, medium, high or critical. NULL: any.
-- An answer holds for what can do no more harm than what was shown.
ALTER TABLE policy_rules ADD COLUMN risk_at_most TEXT;

-- What was shown for earlier answers is not known here. Who wants more than this is asked again.
UPDATE policy_rules SET risk_at_most = 'medium' WHERE approval_id IS NOT NULL;

-- Calls outlive the agent and the run that they were made for, by which they can be looked up: no foreign key
-- to either, which SQLite drops only with the table.
CREATE TABLE kept_calls (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- model or page.
    caller TEXT NOT NULL,
    run_id TEXT,
    call_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    -- What the agent was called then.
    agent_name TEXT NOT NULL,
    turn BIGINT NOT NULL,
    name TEXT NOT NULL,
    -- 1: a tool that is declared; 0: one that the agent made, or none.
    declared BIGINT NOT NULL DEFAULT 0,
    -- A host or key.
    about TEXT,
    -- Empty once the agent is deleted.
    input TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    finished_at BIGINT,
    -- done, cached, failed, refused, denied, stopped or unknown.
    outcome TEXT,
    -- default, hook, network, rule, person, time or limit.
    decided_by TEXT,
    rule_id TEXT,
    approval_id TEXT,
    -- The person who answered.
    answered_by TEXT,
    -- As in 0030.
    device_wait BIGINT NOT NULL DEFAULT 0
);
INSERT INTO kept_calls (user_id, caller, run_id, call_id, agent_id, agent_name, turn, name, input, started_at,
                        finished_at, outcome, decided_by, rule_id, approval_id, answered_by, device_wait)
SELECT a.user_id, c.caller, c.run_id, c.call_id, c.agent_id, a.name, c.turn, c.name, c.input, c.started_at,
       c.finished_at, c.outcome, c.decided_by, c.rule_id, c.approval_id, c.answered_by,
       c.device_wait
FROM tool_calls c JOIN agents a ON a.id = c.agent_id;
DROP TABLE tool_calls;
ALTER TABLE kept_calls RENAME TO tool_calls;
CREATE UNIQUE INDEX tool_calls_of_runs ON tool_calls (run_id, turn, call_id);
CREATE INDEX tool_calls_of_agents ON tool_calls (agent_id, call_id);
CREATE INDEX tool_calls_of_people ON tool_calls (user_id, started_at);
CREATE INDEX tool_calls_by_time ON tool_calls (started_at);
