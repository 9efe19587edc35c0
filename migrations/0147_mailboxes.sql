-- Schedules that are due by mail, with how far their mailbox was read. What opens it is in `secrets`.
CREATE TABLE mailboxes (
    schedule_id TEXT PRIMARY KEY REFERENCES schedules (id) ON DELETE CASCADE,
    -- When it is looked into next. Whoever looks moves it on first, and goes on only while it stands there.
    next_at BIGINT NOT NULL,
    -- The numbering of the server, and the last of its numbers that was read. Absent: nobody has looked yet.
    uid_validity BIGINT,
    last_uid BIGINT NOT NULL DEFAULT 0,
    checked_at BIGINT,
    -- What is in the way since then, and how often in a row: in all, and such that a person has to do something.
    problem TEXT,
    failures BIGINT NOT NULL DEFAULT 0,
    refusals BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX mailboxes_next_at ON mailboxes (next_at);

-- Mails that were taken, so that none is taken twice where a server numbers them anew.
CREATE TABLE taken_mails (
    schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (schedule_id, digest)
);
CREATE INDEX taken_mails_at ON taken_mails (schedule_id, at);
