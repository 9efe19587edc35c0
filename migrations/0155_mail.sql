-- Of mail: the hash of the code that was sent there, and how often another one was tried. Until it is entered nothing
-- else goes there. Absent: it was, or there is none.
ALTER TABLE notification_channels ADD COLUMN code_hash TEXT;
ALTER TABLE notification_channels ADD COLUMN code_tries BIGINT NOT NULL DEFAULT 0;

-- Mails of a day that one person had the hub send.
CREATE TABLE mails_sent (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- code or told
    kind TEXT NOT NULL,
    -- Days since 1970.
    day BIGINT NOT NULL,
    sent BIGINT NOT NULL,
    PRIMARY KEY (user_id, kind)
);
