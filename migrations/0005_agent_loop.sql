-- How an agent's loop works, as JSON: effort, rounds, hooks, mode. What is not in there is as usual.
ALTER TABLE agents ADD COLUMN loop_settings TEXT NOT NULL DEFAULT '{}';
