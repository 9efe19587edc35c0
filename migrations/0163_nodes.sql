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
    placed_at BIGINT NOT NULL
);
CREATE INDEX placements_of_node ON placements (node_id);
