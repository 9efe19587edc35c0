-- The key by which the cards of a peer are signed since it was added. NULL: they are not, as far as is known.
ALTER TABLE peers ADD COLUMN signer TEXT;
-- What began a chain of agents that ask each other, as hubs name it to each other, and how deep a run stood in it when it
-- came in from elsewhere.
ALTER TABLE runs ADD COLUMN asked_cause TEXT;
ALTER TABLE runs ADD COLUMN asked_depth BIGINT NOT NULL DEFAULT 0;
CREATE INDEX runs_asked_cause ON runs (asked_cause) WHERE asked_cause IS NOT NULL;
ALTER TABLE peer_tasks ADD COLUMN cause TEXT;
CREATE INDEX peer_tasks_cause ON peer_tasks (cause) WHERE cause IS NOT NULL;
-- Since when a peer has not answered, how often in a row it did not, and when it is looked at next.
ALTER TABLE peers ADD COLUMN away_since BIGINT;
ALTER TABLE peers ADD COLUMN misses BIGINT NOT NULL DEFAULT 0;
ALTER TABLE peers ADD COLUMN look_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX peers_due ON peers (look_at) WHERE is_on = 1;
