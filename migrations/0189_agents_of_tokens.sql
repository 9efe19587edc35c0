-- Which agents a token opens, as JSON: their ids. NULL: all of its person's, also those to come.
ALTER TABLE tokens ADD COLUMN agents TEXT;
-- The same of a grant whose program has not brought its code yet.
ALTER TABLE oauth_grants ADD COLUMN agents TEXT;
