-- What the loop knows of a conversation up to an entry, so that a run reads what came since. It can be
-- made again from the log.
CREATE TABLE snapshots (
    conversation_id TEXT PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    -- agent::context::Snapshot::FORM of the body.
    form BIGINT NOT NULL,
    -- The rest after which the agent began anew when it was made; -1: it never did.
    clear_after_ms BIGINT NOT NULL,
    -- agent::context::Snapshot as JSON.
    body TEXT NOT NULL
);

-- What an agent's log and each version of its page take, about, in bytes: a person may keep so much.
ALTER TABLE agents ADD COLUMN log_bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE skins ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
UPDATE agents SET log_bytes =
    COALESCE((SELECT CAST(SUM(LENGTH(body)) AS BIGINT) FROM entries WHERE entries.agent_id = agents.id), 0);
UPDATE skins SET bytes = LENGTH(page);
