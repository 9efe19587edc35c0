-- Since when an agent is paused: it begins no run, and neither do its sub-agents.
ALTER TABLE agents ADD COLUMN paused_at BIGINT;
-- The conversation of the run that its pause ended, which goes on when it does.
ALTER TABLE agents ADD COLUMN paused_in TEXT;
