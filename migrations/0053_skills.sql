-- The skills of each person's library.
CREATE TABLE skills (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL
);
CREATE UNIQUE INDEX skills_name ON skills (user_id, name);

-- Of each at most two: the one that its person accepted, and the one that waits for them.
CREATE TABLE skill_versions (
    skill_id TEXT NOT NULL REFERENCES skills (id) ON DELETE CASCADE,
    waiting BIGINT NOT NULL,
    -- SHA-256 over the names and digests of its files, which are in the report.
    digest TEXT NOT NULL,
    report TEXT NOT NULL,
    -- Its person stands by every word of it.
    vouched BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (skill_id, waiting)
);
CREATE INDEX skill_versions_bytes ON skill_versions (skill_id, bytes);

-- As they came, whatever is in them.
CREATE TABLE skill_files (
    skill_id TEXT NOT NULL REFERENCES skills (id) ON DELETE CASCADE,
    waiting BIGINT NOT NULL,
    path TEXT NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (skill_id, waiting, path)
);

-- Which agents are given a skill: found or always.
CREATE TABLE agent_skills (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    skill_id TEXT NOT NULL REFERENCES skills (id) ON DELETE CASCADE,
    chosen TEXT NOT NULL,
    PRIMARY KEY (agent_id, skill_id)
);
CREATE INDEX agent_skills_skill ON agent_skills (skill_id);
