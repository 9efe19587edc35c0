-- What a run has read of the library, or began with.
CREATE TABLE loaded_skills (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    -- The tools to which it keeps the run, as JSON. None: to none.
    allowed_tools TEXT,
    -- Its words are a stranger's.
    foreign_words BIGINT NOT NULL,
    PRIMARY KEY (run_id, name)
);
CREATE INDEX loaded_skills_agent ON loaded_skills (agent_id, foreign_words);
