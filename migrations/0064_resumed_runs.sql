-- How often the hub stopped without warning while the run was under way, lately, and when it last did.
ALTER TABLE runs ADD COLUMN crashes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN crashed_at BIGINT NOT NULL DEFAULT 0;
-- 1: the agent thinks by itself, and nobody has said anything.
ALTER TABLE runs ADD COLUMN ambient BIGINT NOT NULL DEFAULT 0;
