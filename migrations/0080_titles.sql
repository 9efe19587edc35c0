-- Who named the conversation: words (the beginning of its first message), asked (a model is or was asked for a
-- name), model, person. A model names each once, and none that a person named.
ALTER TABLE conversations ADD COLUMN titled_by TEXT NOT NULL DEFAULT 'words';
UPDATE conversations SET titled_by = 'person' WHERE title <> '';

-- Which model calls are made for a person in the background, 1 or 0. NULL: as the hub has it.
ALTER TABLE users ADD COLUMN side_titles BIGINT;
ALTER TABLE users ADD COLUMN side_memories BIGINT;
