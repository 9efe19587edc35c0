-- Folders with nothing in them that commands made: files have theirs by their paths.
CREATE TABLE empty_folders (
    folder_id TEXT NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    -- 1: strangers may have named it.
    untrusted BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (folder_id, path)
);
