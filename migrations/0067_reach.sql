-- Until when the person can do something about it.
ALTER TABLE notifications ADD COLUMN expires_at BIGINT;
-- 1: a yes to this one call may be given where the notification is shown.
ALTER TABLE notifications ADD COLUMN answerable BIGINT NOT NULL DEFAULT 0;

-- Browsers that want to be notified, by web push.
CREATE TABLE push_devices (
    device_id TEXT PRIMARY KEY REFERENCES devices (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    endpoint TEXT NOT NULL,
    public_key BYTEA NOT NULL,
    auth BYTEA NOT NULL,
    -- 1: with buttons to allow and deny.
    buttons BIGINT NOT NULL,
    -- Scheme, host and port under which the person reaches the hub there.
    origin TEXT NOT NULL,
    made_at BIGINT NOT NULL
);
CREATE INDEX push_devices_user ON push_devices (user_id);

-- Where else a person wants to hear. The address, and what it takes to be believed there, is in `secrets`.
CREATE TABLE notification_channels (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    -- Scheme, host and port of the address.
    place TEXT NOT NULL,
    origin TEXT NOT NULL,
    made_at BIGINT NOT NULL
);
CREATE INDEX notification_channels_user ON notification_channels (user_id);

-- What is sent where, and what became of it.
CREATE TABLE notification_deliveries (
    notification_id TEXT NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    -- A device or a channel. It may be gone.
    target TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    tries BIGINT NOT NULL DEFAULT 0,
    next_at BIGINT NOT NULL,
    failure TEXT,
    PRIMARY KEY (notification_id, target)
);
CREATE INDEX notification_deliveries_due ON notification_deliveries (next_at) WHERE state = 'waiting';

-- By what a device answers from a notification: hashes of secrets that it was sent.
CREATE TABLE push_answers (
    secret_hash TEXT PRIMARY KEY,
    notification_id TEXT NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    device_id TEXT NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
    UNIQUE (notification_id, device_id)
);
