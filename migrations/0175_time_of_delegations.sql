-- How long it may be at work. While it is queued `until` is when it is given up, from its beginning on when it ends.
ALTER TABLE delegations ADD COLUMN minutes BIGINT NOT NULL DEFAULT 15;
UPDATE delegations SET minutes = (until - created_at) / 60000 WHERE state = 'queued';
CREATE INDEX delegations_queued ON delegations (until) WHERE state = 'queued';
