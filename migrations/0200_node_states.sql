-- What the nodes of a hub know of each other: the build whose files each one has, how many microseconds its last word
-- to itself took over NATS (absent: none came back, or it is of a version that does not say), and whether an
-- administrator wants its people elsewhere.
ALTER TABLE nodes ADD COLUMN build TEXT NOT NULL DEFAULT '';
ALTER TABLE nodes ADD COLUMN nats_us BIGINT;
ALTER TABLE nodes ADD COLUMN hands_over BIGINT NOT NULL DEFAULT 0;
