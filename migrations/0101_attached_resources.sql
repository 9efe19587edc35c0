-- The MCP server that a file is a resource of, by its name. NULL: its person brought it.
ALTER TABLE attachments ADD COLUMN server TEXT;
