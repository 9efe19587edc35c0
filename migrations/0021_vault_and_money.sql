-- Which master key the data key is sealed with. NULL: from before keys had names.
ALTER TABLE secrets ADD COLUMN key_id TEXT;
