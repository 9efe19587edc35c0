-- Whether the call waits for a device: 0 it does not, 1 no device has had it yet, 2 it was offered to one. What
-- was not offered when the hub stops was not done, and its outcome is not_made.
ALTER TABLE tool_calls ADD COLUMN device_wait BIGINT NOT NULL DEFAULT 0;
