-- Schedules that are due when a run of another agent of the same person has ended.
CREATE TABLE finish_triggers (
    schedule_id TEXT PRIMARY KEY REFERENCES schedules (id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE
);
CREATE INDEX finish_triggers_agent ON finish_triggers (agent_id);

-- Schedules that are due when files have changed.
CREATE TABLE file_triggers (
    schedule_id TEXT PRIMARY KEY REFERENCES schedules (id) ON DELETE CASCADE,
    -- `agent`, `workspace` or `uploads`, and which paths in it.
    mount TEXT NOT NULL,
    pattern TEXT NOT NULL,
    -- Paths that have changed since the last time that it was due, and when that is next. Absent: none has.
    changed TEXT,
    due_at BIGINT,
    told_at BIGINT
);
CREATE INDEX file_triggers_due ON file_triggers (due_at);

-- Schedules that are due when their person comes back, with when a page of theirs was last seen open.
CREATE TABLE device_triggers (
    schedule_id TEXT PRIMARY KEY REFERENCES schedules (id) ON DELETE CASCADE,
    here_at BIGINT NOT NULL
);
CREATE INDEX device_triggers_here ON device_triggers (here_at);
