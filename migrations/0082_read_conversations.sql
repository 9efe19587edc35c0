-- The end of the last run in it, by its number in the log, and up to where its person has read it, on whatever
-- device. What is there already counts as read.
ALTER TABLE conversations ADD COLUMN answered_seq BIGINT NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN read_seq BIGINT NOT NULL DEFAULT 0;
