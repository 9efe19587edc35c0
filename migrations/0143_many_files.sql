-- Folders of many thousand files: what is asked of all of them is answered by an index, without what stands in them.
CREATE INDEX files_listed ON files (folder_id, path, size, at, version, untrusted);
-- The oldest are let go first.
CREATE INDEX file_versions_by_age ON file_versions (folder_id, at, path, version, size);
-- What is in the bin.
CREATE INDEX file_versions_deleted ON file_versions (folder_id, at, path, version) WHERE bytes IS NULL;
