-- What came along with what made a schedule due, until its agent is told. Words of strangers.
ALTER TABLE schedule_firings ADD COLUMN event TEXT;

-- Schedules that are due by deliveries and have a secret.
CREATE TABLE webhooks (
    schedule_id TEXT PRIMARY KEY REFERENCES schedules (id) ON DELETE CASCADE,
    -- The secret follows from it and the hub's key to sign with.
    nonce TEXT NOT NULL,
    made_at BIGINT NOT NULL
);

-- Deliveries that were taken, so that none is taken twice.
CREATE TABLE webhook_deliveries (
    schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
    delivery TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (schedule_id, delivery)
);
CREATE INDEX webhook_deliveries_at ON webhook_deliveries (schedule_id, at);
