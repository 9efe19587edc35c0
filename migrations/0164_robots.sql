-- Whether an agent reads only what robots.txt lets programs read.
ALTER TABLE agents ADD COLUMN follows_robots BIGINT NOT NULL DEFAULT 0;
