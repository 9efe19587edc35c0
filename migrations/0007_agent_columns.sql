-- Who answers when a local provider does not: another provider, and its name of the model.
ALTER TABLE agents ADD COLUMN fallback_provider_id TEXT;
ALTER TABLE agents ADD COLUMN fallback_model TEXT;
-- 1 where loop_settings let the agent think while nothing is said: those are looked for when the hub starts.
ALTER TABLE agents ADD COLUMN ambient BIGINT NOT NULL DEFAULT 0;
-- When the newest version of a tool was made. NULL: before this was noted.
ALTER TABLE agent_tools ADD COLUMN made_at BIGINT;
