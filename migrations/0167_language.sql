-- The language that a person chose for the interface, as its BCP 47 tag. NULL: what their browser asks for.
ALTER TABLE users ADD COLUMN language TEXT;
