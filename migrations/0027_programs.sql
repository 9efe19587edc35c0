-- What a token may do: 'everything' that its person can, or 'models', which calls models and agents only.
ALTER TABLE tokens ADD COLUMN scope TEXT NOT NULL DEFAULT 'everything';

-- Money is held for calls of runs and of other programs. `caller` is the id of the run, or of the program's
-- call.
CREATE TABLE holds_by_caller (
    caller TEXT NOT NULL,
    -- 'turn' or 'aside' of a run, which has one call of each at a time, or 'program'.
    slot TEXT NOT NULL,
    -- NULL: a program's.
    run_id TEXT REFERENCES runs (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL,
    -- Empty: a program called the model by itself.
    agent_id TEXT NOT NULL,
    -- The token that the program came with; empty: none.
    token_id TEXT NOT NULL DEFAULT '',
    provider_id TEXT NOT NULL,
    amount BIGINT NOT NULL,
    -- What its provider has told of the call, as JSON. NULL: nothing yet.
    told TEXT,
    PRIMARY KEY (caller, slot)
);
INSERT INTO holds_by_caller (caller, slot, run_id, user_id, agent_id, token_id, provider_id, amount, told)
SELECT run_id, slot, run_id, user_id, agent_id, '', provider_id, amount, told FROM holds;
DROP TABLE holds;
ALTER TABLE holds_by_caller RENAME TO holds;
CREATE INDEX holds_run ON holds (run_id);
CREATE INDEX holds_user ON holds (user_id);
CREATE INDEX holds_agent ON holds (agent_id);
CREATE INDEX holds_token ON holds (token_id);

-- Spending also by token. `agent_id` is empty where a program called the model by itself, `token_id` where
-- no program had to do with it.
CREATE TABLE spending_by_token (
    day TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL,
    token_id TEXT NOT NULL DEFAULT '',
    provider_id TEXT NOT NULL,
    model TEXT NOT NULL,
    -- reply, unfinished, summary, plan or program.
    kind TEXT NOT NULL,
    calls BIGINT NOT NULL,
    -- Calls among them whose price is not known.
    unpriced BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost BIGINT NOT NULL,
    PRIMARY KEY (user_id, day, agent_id, token_id, provider_id, model, kind)
);
INSERT INTO spending_by_token (day, user_id, agent_id, token_id, provider_id, model, kind, calls, unpriced,
                               input_tokens, output_tokens, cost)
SELECT day, user_id, agent_id, '', provider_id, model, kind, calls, unpriced, input_tokens, output_tokens, cost
FROM spending;
DROP TABLE spending;
ALTER TABLE spending_by_token RENAME TO spending;
CREATE INDEX spending_agent ON spending (agent_id, day);
CREATE INDEX spending_day ON spending (day);
CREATE INDEX spending_provider ON spending (provider_id, user_id);
CREATE INDEX spending_token ON spending (token_id);

-- The token of the program that a run answers; NULL: it answers no program.
ALTER TABLE runs ADD COLUMN asked_by TEXT;
