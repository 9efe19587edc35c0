-- Addresses of files that a person gave away. What is not here any more opens nothing.
CREATE TABLE given_links (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    folder_id TEXT NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    -- Of what it opens.
    digest TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL,
    opened BIGINT NOT NULL DEFAULT 0,
    last_opened_at BIGINT
);
CREATE INDEX given_links_by_person ON given_links (user_id, ends_at);
CREATE INDEX given_links_by_folder ON given_links (folder_id);
