-- The number of the newest entry with errors of the agent's page. NULL: it has none.
ALTER TABLE packed_conversations ADD COLUMN page_errors BIGINT;
-- What agents elsewhere do for agents that were deleted, until it is cancelled there: what it takes to find it.
CREATE TABLE unwanted_peer_tasks (
    delegation_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- When nobody tries to cancel it any more.
    until BIGINT NOT NULL,
    task TEXT NOT NULL,
    peer_id TEXT NOT NULL,
    url TEXT NOT NULL,
    task_id TEXT,
    context_id TEXT,
    asks BIGINT NOT NULL,
    cause TEXT,
    depth BIGINT NOT NULL
);
CREATE INDEX unwanted_peer_tasks_person ON unwanted_peer_tasks (user_id);
-- 1: a limit stopped it because nobody knows what its model costs. `over_budget` of a task of a pipeline is 2 then.
ALTER TABLE runs ADD COLUMN lacks_price BIGINT NOT NULL DEFAULT 0;
CREATE INDEX pipelines_unpriced ON pipelines (id) WHERE state = 'unpriced';
