-- How the times of a schedule become runs: protocol::schedule::FiringRules as JSON.
ALTER TABLE schedules ADD COLUMN rules TEXT NOT NULL DEFAULT '{}';
-- Why the hub switched it off after failures; NULL: it did not.
ALTER TABLE schedules ADD COLUMN broken TEXT;
-- Failures of runs that began before this are forgiven.
ALTER TABLE schedules ADD COLUMN forgiven_at BIGINT NOT NULL DEFAULT 0;

-- Why it was due: protocol::schedule::FiringCause.
ALTER TABLE schedule_firings ADD COLUMN cause TEXT NOT NULL DEFAULT 'time';
-- The first run that it began; NULL: none, or one of an earlier program.
ALTER TABLE schedule_firings ADD COLUMN run_id TEXT;
