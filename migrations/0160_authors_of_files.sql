-- What a call changed is found by its author.
CREATE INDEX files_by_author ON files (folder_id, author, path, version);
CREATE INDEX file_versions_by_author ON file_versions (folder_id, author, path, version);
-- 1: the person put it there, and somebody else wrote what stands in it.
ALTER TABLE files ADD COLUMN by_others BIGINT NOT NULL DEFAULT 0;
ALTER TABLE file_versions ADD COLUMN by_others BIGINT NOT NULL DEFAULT 0;
