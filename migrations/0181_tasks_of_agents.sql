-- How long it may be at work. While it is queued `until` is when it is given up, from its beginning on when it ends.
ALTER TABLE delegations ADD COLUMN minutes BIGINT NOT NULL DEFAULT 15;
UPDATE delegations SET minutes = (until - created_at) / 60000 WHERE state = 'queued';
CREATE INDEX delegations_queued ON delegations (until) WHERE state = 'queued';
-- How it ended: completed, stopped or failed.
ALTER TABLE runs ADD COLUMN outcome TEXT;
UPDATE runs SET outcome = (
    SELECT CASE WHEN e.body LIKE '{"type":"run_finished","outcome":{"type":"completed"%' THEN 'completed'
                WHEN e.body LIKE '{"type":"run_finished","outcome":{"type":"stopped"%' THEN 'stopped'
                ELSE 'failed' END
    FROM entries e WHERE e.run_id = runs.id AND e.kind = 'run_finished' LIMIT 1)
WHERE asked_by IS NOT NULL AND running = 0;
-- 1: the agent asks something that words answer, and no leave.
ALTER TABLE approvals ADD COLUMN in_words BIGINT NOT NULL DEFAULT 0;
-- The id under which a program answered it.
ALTER TABLE approvals ADD COLUMN answered_as TEXT;
-- What of its conversation the asker hands over beside the task.
ALTER TABLE delegations ADD COLUMN handed TEXT NOT NULL DEFAULT '';
