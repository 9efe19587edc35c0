-- Which devices keep a key of their person's for a provider. The keys themselves are on those devices
-- alone.
CREATE TABLE device_keys (
    provider_id TEXT NOT NULL REFERENCES providers (id) ON DELETE CASCADE,
    device_id TEXT NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
    kept_at BIGINT NOT NULL,
    PRIMARY KEY (provider_id, device_id)
);
CREATE INDEX device_keys_device ON device_keys (device_id);
