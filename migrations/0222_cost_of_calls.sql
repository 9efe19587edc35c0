-- What a call of a tool itself cost, beside the turn that made it: a search by the provider of a model. NULL: nothing, or
-- nobody knows.
ALTER TABLE tool_calls ADD COLUMN cost BIGINT;
