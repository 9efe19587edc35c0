-- 1: a tool brought it for the agent's model to look at, and no message has it. Only what messages have is under /uploads.
ALTER TABLE agent_attachments ADD COLUMN by_tool BIGINT NOT NULL DEFAULT 0;
