-- What a person keeps is summed with each message: without these, by reading all of it.
CREATE INDEX skins_bytes ON skins (agent_id, bytes);
CREATE INDEX agent_files_size ON agent_files (agent_id, size);
