-- 1: it came after its person had looked at the server, and they have not said yet whether it is on.
ALTER TABLE mcp_tools ADD COLUMN is_new BIGINT NOT NULL DEFAULT 0;
