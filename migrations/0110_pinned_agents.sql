-- Since when the agent stands before the others on its person's dashboard. NULL: it does not.
ALTER TABLE agents ADD COLUMN pinned_at BIGINT;
