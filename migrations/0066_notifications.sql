-- What a person was told of while they looked elsewhere.
CREATE TABLE notifications (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    -- Its last words are in here, so it goes with them.
    conversation_id TEXT REFERENCES conversations (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    -- The question that it is about. That may be let go of before this is.
    approval_id TEXT,
    at BIGINT NOT NULL,
    -- 1: it came in the person's quiet hours, and was sent nowhere.
    quiet BIGINT NOT NULL,
    read_at BIGINT
);
CREATE INDEX notifications_user ON notifications (user_id, id);
CREATE INDEX notifications_conversation ON notifications (conversation_id);
CREATE INDEX notifications_approval ON notifications (approval_id) WHERE approval_id IS NOT NULL;
CREATE INDEX notifications_unread ON notifications (user_id) WHERE read_at IS NULL;
CREATE INDEX notifications_unread_of_agent ON notifications (agent_id) WHERE read_at IS NULL;

-- Of what a person wants to hear, and when. Who has no row hears of everything at any time.
CREATE TABLE notification_settings (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    -- JSON
    settings TEXT NOT NULL
);

-- Agents of which their person hears nothing.
CREATE TABLE muted_agents (
    agent_id TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE
);
