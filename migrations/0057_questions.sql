-- What the person said to a question of the agent's: protocol::question::Answer as JSON. `decision` is then
-- answered.
ALTER TABLE approvals ADD COLUMN answer TEXT;
