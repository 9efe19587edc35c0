-- Of a pipeline that an agent made: the run in which it did, where it is told of the end, the chain that this is a
-- part of and how far down it stands in it.
ALTER TABLE pipelines ADD COLUMN made_by_run TEXT;
ALTER TABLE pipelines ADD COLUMN told_in TEXT;
ALTER TABLE pipelines ADD COLUMN begun_by TEXT;
ALTER TABLE pipelines ADD COLUMN depth BIGINT NOT NULL DEFAULT 1;
CREATE INDEX pipelines_by_maker ON pipelines (made_by_run);

-- The pipeline that it is about, whose page it leads to.
ALTER TABLE notifications ADD COLUMN pipeline_id TEXT REFERENCES pipelines (id) ON DELETE CASCADE;
CREATE INDEX notifications_pipeline ON notifications (pipeline_id) WHERE pipeline_id IS NOT NULL;
