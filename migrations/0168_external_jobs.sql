-- Places elsewhere that carry out jobs for a person's agents. The token of one is sealed in `secrets`.
CREATE TABLE job_services (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    url TEXT NOT NULL,
    -- Of GitHub: owner and name.
    repository TEXT NOT NULL DEFAULT '',
    -- Where its logs lie, if that is neither with it nor on the public web.
    log_url TEXT NOT NULL DEFAULT '',
    -- What agents may start there, as JSON.
    jobs TEXT NOT NULL,
    has_token BIGINT NOT NULL DEFAULT 0,
    is_on BIGINT NOT NULL DEFAULT 1,
    -- It wants to be left alone until then.
    quiet_until BIGINT NOT NULL DEFAULT 0,
    failure TEXT,
    created_at BIGINT NOT NULL,
    UNIQUE (user_id, name)
);

CREATE TABLE external_jobs (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    -- What is gone by now is named here still.
    service_id TEXT NOT NULL,
    service TEXT NOT NULL,
    job TEXT NOT NULL,
    input TEXT NOT NULL,
    -- Who started it, where, and on whose word. An agent that is deleted leaves its jobs to its person.
    agent_id TEXT REFERENCES agents (id) ON DELETE SET NULL,
    conversation_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    chain TEXT NOT NULL,
    state TEXT NOT NULL,
    why TEXT NOT NULL DEFAULT '',
    progress TEXT NOT NULL DEFAULT '',
    -- What finds it there: the number of its run, or its address.
    handle TEXT NOT NULL DEFAULT '',
    -- Its page there.
    link TEXT NOT NULL DEFAULT '',
    exit_code BIGINT,
    result TEXT,
    -- How far its log was read there, as JSON.
    cursor TEXT NOT NULL DEFAULT '{}',
    cancelled_at BIGINT,
    -- Whether its agent heard how it ended: 0 not yet, 1 it needs no word or was told no more, 2 it was told.
    told BIGINT NOT NULL DEFAULT 0,
    -- Which hub process starts it.
    process TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    looked_at BIGINT,
    -- When it is looked at next. Whoever looks moves it on first, and goes on only while it stands there.
    next_at BIGINT,
    failures BIGINT NOT NULL DEFAULT 0,
    ended_at BIGINT,
    -- Of the log so many bytes were read; the last of them are kept, from that one on.
    log_bytes BIGINT NOT NULL DEFAULT 0,
    log_from BIGINT NOT NULL DEFAULT 0,
    log TEXT NOT NULL DEFAULT '',
    UNIQUE (user_id, number)
);
CREATE INDEX external_jobs_next_at ON external_jobs (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX external_jobs_by_agent ON external_jobs (agent_id, number);
CREATE INDEX external_jobs_by_service ON external_jobs (service_id) WHERE ended_at IS NULL;
CREATE INDEX external_jobs_by_chain ON external_jobs (chain) WHERE told = 2;
