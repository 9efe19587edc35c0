-- A graph of tasks that agents carry out for a person.
CREATE TABLE pipelines (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- The agent that leads it: whose files, rules and money the sub-agents of its tasks share.
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    at_once BIGINT NOT NULL,
    state TEXT NOT NULL,
    -- New with each start: what is begun for it stands under this, as under a run that asks.
    chain TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    started_at BIGINT,
    finished_at BIGINT
);
CREATE INDEX pipelines_by_user ON pipelines (user_id, created_at);
CREATE INDEX pipelines_running ON pipelines (id) WHERE state = 'running';
CREATE INDEX pipelines_by_agent ON pipelines (agent_id);
CREATE TABLE pipeline_tasks (
    pipeline_id TEXT NOT NULL REFERENCES pipelines (id) ON DELETE CASCADE,
    place BIGINT NOT NULL,
    task_id TEXT NOT NULL,
    title TEXT NOT NULL,
    instruction TEXT NOT NULL,
    depends_on TEXT NOT NULL,
    done_by TEXT NOT NULL,
    -- Of an agent, its id; of a sub-agent, who it is to be.
    who TEXT NOT NULL,
    minutes BIGINT NOT NULL,
    retries BIGINT NOT NULL,
    state TEXT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    -- The attempt that was begun last.
    delegation_id TEXT,
    result TEXT NOT NULL DEFAULT '',
    why TEXT NOT NULL DEFAULT '',
    untrusted BIGINT NOT NULL DEFAULT 0,
    finished_at BIGINT,
    PRIMARY KEY (pipeline_id, task_id)
);
CREATE INDEX pipeline_tasks_by_delegation ON pipeline_tasks (delegation_id);
