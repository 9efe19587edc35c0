-- The folder of a conversation, by its name. NULL: it is in none.
ALTER TABLE conversations ADD COLUMN folder TEXT;
