-- The folders of the agent at the top that a sub-agent has, as a list of paths. NULL: all of them.
ALTER TABLE agents ADD COLUMN mounts TEXT;
