-- When one came here that was held before: from the export of a product, an archive or another agent. NULL: it was begun
-- here.
ALTER TABLE conversations ADD COLUMN brought_at BIGINT;
