-- What may be spent, in whole micro-dollars; NULL is no limit. `scope` says whose money is limited: 'agent'
-- and 'person' by the person, 'member' (a person too) and 'server' by an administrator. `owner` is the id
-- of the agent or person, empty for the server.
CREATE TABLE caps (
    scope TEXT NOT NULL,
    owner TEXT NOT NULL,
    per_call BIGINT,
    per_run BIGINT,
    per_day BIGINT,
    per_month BIGINT,
    ever BIGINT,
    PRIMARY KEY (scope, owner)
);

-- The most that model calls under way can cost. Gone when the call is booked and when its run ends.
CREATE TABLE holds (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    -- 'turn' or 'aside': a run has one call of each at a time.
    slot TEXT NOT NULL,
    user_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (run_id, slot)
);
CREATE INDEX holds_user ON holds (user_id);
CREATE INDEX holds_agent ON holds (agent_id);

-- What was spent on a day (UTC, '2026-11-22') by an agent on a model. It outlives the agent: the money
-- stays spent.
CREATE TABLE spending (
    day TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL,
    model TEXT NOT NULL,
    calls BIGINT NOT NULL,
    -- Calls among them whose price is not known.
    unpriced BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost BIGINT NOT NULL,
    PRIMARY KEY (user_id, day, agent_id, model)
);
CREATE INDEX spending_agent ON spending (agent_id, day);
CREATE INDEX spending_day ON spending (day);

ALTER TABLE runs ADD COLUMN cost BIGINT NOT NULL DEFAULT 0;
