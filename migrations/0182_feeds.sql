-- Schedules that are due by what is new in a feed, with what was seen of it.
CREATE TABLE feeds (
    schedule_id TEXT PRIMARY KEY REFERENCES schedules (id) ON DELETE CASCADE,
    -- When it is looked at next. Whoever looks moves it on first, and goes on only while it stands there.
    next_at BIGINT NOT NULL,
    -- By which its server says that it is still the same.
    etag TEXT,
    last_modified TEXT,
    -- Digests of the entries that were seen, the newest look first. Absent: nobody has looked yet.
    seen TEXT,
    checked_at BIGINT,
    -- What is in the way since then, and how often in a row: in all, and such that a person has to do something.
    problem TEXT,
    failures BIGINT NOT NULL DEFAULT 0,
    refusals BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX feeds_next_at ON feeds (next_at);
