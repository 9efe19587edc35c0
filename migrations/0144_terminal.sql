-- Whether commands of an agent reach the hosts on its list as well.
ALTER TABLE agents ADD COLUMN commands_reach BIGINT NOT NULL DEFAULT 0;

-- What the last command of each session left for the next one: its folder, and its variables as pairs.
CREATE TABLE terminal_sessions (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    folder TEXT NOT NULL,
    variables TEXT NOT NULL,
    untrusted BIGINT NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (agent_id, name)
);

-- How long commands of each person's agents ran on the last day on which any did, counted from the epoch.
CREATE TABLE terminal_time (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    day BIGINT NOT NULL,
    ms BIGINT NOT NULL
);

-- Whether strangers may have had a part in what a job said.
ALTER TABLE terminal_jobs ADD COLUMN untrusted BIGINT NOT NULL DEFAULT 0;
