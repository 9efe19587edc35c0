-- Errors of a page that were dealt with: the same ones in the same drawing are not told twice.
CREATE TABLE page_errors (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    -- The version that the agent drew, not one of the page's own.
    version BIGINT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (agent_id, version, digest)
);

-- What the page told the agent without waking it (`flo.emit`), until the next run reads it.
CREATE TABLE page_emits (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    data TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (agent_id, name)
);

-- Tools that a person lets an agent's page call without asking again.
CREATE TABLE page_consents (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    tool TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (agent_id, tool)
);

-- When a change of `flo.state` wakes the agent: one rule for a key.
CREATE TABLE agent_rules (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    -- As agent::rules prints it.
    condition TEXT NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (agent_id, key)
);

-- Pages call tools as well, and have no run: `run_id` may be NULL, which SQLite allows only in a new
-- table.
CREATE TABLE audited_calls (
    -- model or page.
    caller TEXT NOT NULL,
    run_id TEXT REFERENCES runs (id) ON DELETE CASCADE,
    call_id TEXT NOT NULL,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    turn BIGINT NOT NULL,
    name TEXT NOT NULL,
    input TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    finished_at BIGINT,
    -- done, failed, refused, stopped or unknown.
    outcome TEXT
);
INSERT INTO audited_calls (caller, run_id, call_id, agent_id, turn, name, input, started_at, finished_at, outcome)
SELECT 'model', run_id, call_id, agent_id, turn, name, input, started_at, finished_at, outcome FROM tool_calls;
DROP TABLE tool_calls;
ALTER TABLE audited_calls RENAME TO tool_calls;
CREATE UNIQUE INDEX tool_calls_of_runs ON tool_calls (run_id, turn, call_id);
CREATE INDEX tool_calls_of_agents ON tool_calls (agent_id, call_id);

-- Who made a version: run, page, person or copy.
ALTER TABLE skins ADD COLUMN origin TEXT NOT NULL DEFAULT 'run';
-- The browser in which it was made, by the name it had then.
ALTER TABLE skins ADD COLUMN device TEXT;
-- What the page made of itself: of which version, and since when. 0 for every other.
ALTER TABLE skins ADD COLUMN base BIGINT NOT NULL DEFAULT 0;
ALTER TABLE skins ADD COLUMN since BIGINT NOT NULL DEFAULT 0;
