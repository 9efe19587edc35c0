-- Where a person's agents search the web, in the order of their places. What a key is sealed with is in `secrets`.
CREATE TABLE search_sources (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    -- None: the kind's own.
    base_url TEXT,
    place BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX search_sources_user ON search_sources (user_id, place);
