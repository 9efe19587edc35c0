-- What of the web an agent's `fetch` may reach, as JSON.
ALTER TABLE agents ADD COLUMN network TEXT NOT NULL DEFAULT '{"type":"off"}';
