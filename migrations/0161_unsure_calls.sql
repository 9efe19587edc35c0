-- 1: the hub stopped while the call was under way, and its person is asked what came of it.
ALTER TABLE tool_calls ADD COLUMN unsure BIGINT NOT NULL DEFAULT 0;
