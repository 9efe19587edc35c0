-- The pipeline that a run is a part of, under whose budget it spends.
ALTER TABLE runs ADD COLUMN pipeline_id TEXT;
-- Of one that a run of another pipeline made, that other one: its budget is the budget of both.
ALTER TABLE pipelines ADD COLUMN part_of TEXT;
-- 1: the budget of its pipeline is why it is not done.
ALTER TABLE pipeline_tasks ADD COLUMN over_budget BIGINT NOT NULL DEFAULT 0;
CREATE INDEX pipelines_by_chain ON pipelines (chain);
-- What a pipeline cost since each of its starts.
CREATE TABLE pipeline_spending (
    pipeline_id TEXT NOT NULL REFERENCES pipelines (id) ON DELETE CASCADE,
    chain TEXT NOT NULL,
    cost BIGINT NOT NULL,
    PRIMARY KEY (pipeline_id, chain)
);
-- 1: whoever asked for it was deleted, so nobody waits for it any more, wherever it runs.
ALTER TABLE runs ADD COLUMN unwanted BIGINT NOT NULL DEFAULT 0;
CREATE INDEX runs_unwanted ON runs (unwanted) WHERE unwanted = 1;
-- A newer file of a tool that the agent has: its version, which its person has not accepted.
ALTER TABLE agent_tools ADD COLUMN offered TEXT;
-- The memories that count as used once because of this run, as a JSON list of ids.
ALTER TABLE runs ADD COLUMN used_memories TEXT;
