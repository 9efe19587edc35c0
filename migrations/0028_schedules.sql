-- When an agent is told something by itself.
CREATE TABLE schedules (
    id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    message TEXT NOT NULL,
    -- protocol::schedule::Timing as JSON.
    timing TEXT NOT NULL,
    -- Where counting begins.
    counted_from BIGINT NOT NULL,
    -- What becomes of a time at which the hub was off: 'catch_up' or 'skip'.
    missed TEXT NOT NULL,
    paused BIGINT NOT NULL,
    -- 'person' or 'agent'.
    made_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- NULL: it will not be due any more. Whoever moves it on has this time of the schedule.
    next_at BIGINT,
    -- When somebody last looked at what the agent does.
    seen_at BIGINT NOT NULL,
    -- It was said that nobody looks.
    idle_told BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX schedules_agent ON schedules (agent_id);
CREATE INDEX schedules_next ON schedules (next_at);

-- The last times that schedules were due: those that wait for their agent, and what became of the others.
CREATE TABLE schedule_firings (
    schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
    due BIGINT NOT NULL,
    -- waiting, begun, missed, overtaken or over_limit.
    state TEXT NOT NULL,
    PRIMARY KEY (schedule_id, due)
);
CREATE INDEX schedule_firings_waiting ON schedule_firings (due) WHERE state = 'waiting';

-- What was spent on a day (UTC) by runs that a schedule began.
CREATE TABLE schedule_spending (
    schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
    day TEXT NOT NULL,
    cost BIGINT NOT NULL,
    PRIMARY KEY (schedule_id, day)
);

-- The schedule that began the run; NULL: none did.
ALTER TABLE runs ADD COLUMN schedule_id TEXT;
CREATE INDEX runs_schedule ON runs (schedule_id, started_at) WHERE schedule_id IS NOT NULL;
