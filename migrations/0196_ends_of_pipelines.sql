-- 1: of pipelines that the agent leads, in place of runs.
ALTER TABLE finish_triggers ADD COLUMN pipelines BIGINT NOT NULL DEFAULT 0;
