-- When a version was put aside: what was put aside first is let go first, however old it was by then.
ALTER TABLE file_versions ADD COLUMN aside_at BIGINT NOT NULL DEFAULT 0;
UPDATE file_versions SET aside_at = CASE WHEN bytes IS NULL THEN at ELSE COALESCE(
    (SELECT later.at FROM file_versions later
     WHERE later.folder_id = file_versions.folder_id AND later.path = file_versions.path
       AND later.version = file_versions.version + 1),
    (SELECT f.at FROM files f
     WHERE f.folder_id = file_versions.folder_id AND f.path = file_versions.path
       AND f.version = file_versions.version + 1),
    at) END;
-- A clock may have gone back: nothing is put aside before it was written.
UPDATE file_versions SET aside_at = at WHERE aside_at < at;
DROP INDEX file_versions_by_age;
CREATE INDEX file_versions_by_age ON file_versions (folder_id, aside_at, path, version, size);
