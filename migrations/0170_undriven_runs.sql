-- Since when no browser drives a run that is at home in one. NULL: one does, or the hub does.
ALTER TABLE runs ADD COLUMN undriven_since BIGINT;
