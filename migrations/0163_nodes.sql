-- The processes that serve this database together, and the one that each person is placed on. A node whose time is
-- over is taken away by another one, and its people are placed anew.
CREATE TABLE nodes (
    id TEXT PRIMARY KEY NOT NULL,
    version TEXT NOT NULL,
    began_at BIGINT NOT NULL,
    alive_until BIGINT NOT NULL
);
CREATE TABLE placements (
    user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    node_id TEXT NOT NULL,
    placed_at BIGINT NOT NULL,
    -- Their node goes on with what another one left of theirs, and looks after what they have.
    taken_on BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX placements_of_node ON placements (node_id, taken_on);

-- Calls of pages that were under way when their process ended are closed for one person at a time.
CREATE INDEX tool_calls_open_of_pages ON tool_calls (agent_id) WHERE finished_at IS NULL AND run_id IS NULL;
