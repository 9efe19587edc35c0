-- Commands of agents in the background. What one says is in the memory of the hub that runs it; the row says that it
-- was there, and how it ended.
CREATE TABLE terminal_jobs (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    command TEXT NOT NULL,
    began_at BIGINT NOT NULL,
    -- The last lines that it said, as far as they were noted.
    last TEXT NOT NULL DEFAULT '',
    -- Which hub process runs it.
    process TEXT NOT NULL,
    ended_at BIGINT,
    ending TEXT,
    PRIMARY KEY (agent_id, number)
);
CREATE INDEX terminal_jobs_running ON terminal_jobs (process) WHERE ended_at IS NULL;
