-- The number of the newest entry with errors of the agent's page. NULL: it has none.
ALTER TABLE packed_conversations ADD COLUMN page_errors BIGINT;
