-- Which master key the data key is sealed with. NULL: from before keys had names.
ALTER TABLE secrets ADD COLUMN key_id TEXT;

-- People whom an administrator names together.
CREATE TABLE people_groups (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE people_group_members (
    group_id TEXT NOT NULL REFERENCES people_groups (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (group_id, user_id)
);
CREATE INDEX people_group_members_user ON people_group_members (user_id);

-- Providers of administrators that others use too, with the same key. The limit for each of them is in
-- `caps`, with the scope 'shared' and the provider's id.
CREATE TABLE shared_providers (
    provider_id TEXT PRIMARY KEY REFERENCES providers (id) ON DELETE CASCADE,
    -- 1: with everybody.
    everyone BIGINT NOT NULL,
    -- JSON list of the models that others may use; empty: all.
    models TEXT NOT NULL
);

CREATE TABLE shared_with_people (
    provider_id TEXT NOT NULL REFERENCES shared_providers (provider_id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (provider_id, user_id)
);

CREATE TABLE shared_with_groups (
    provider_id TEXT NOT NULL REFERENCES shared_providers (provider_id) ON DELETE CASCADE,
    group_id TEXT NOT NULL REFERENCES people_groups (id) ON DELETE CASCADE,
    PRIMARY KEY (provider_id, group_id)
);

-- Who can use which provider: their own, and what an administrator shares with them. A share ends with
-- the role of whoever shares.
CREATE VIEW usable_providers AS
SELECT p.user_id AS user_id, p.id AS provider_id, p.user_id AS owner_id FROM providers p
UNION
SELECT u.id, p.id, p.user_id
FROM shared_providers s
JOIN providers p ON p.id = s.provider_id
JOIN users o ON o.id = p.user_id AND o.role = 'admin'
JOIN users u ON u.id <> p.user_id
WHERE s.everyone = 1
   OR EXISTS (SELECT 1 FROM shared_with_people w WHERE w.provider_id = s.provider_id AND w.user_id = u.id)
   OR EXISTS (SELECT 1 FROM shared_with_groups g
              JOIN people_group_members m ON m.group_id = g.group_id
              WHERE g.provider_id = s.provider_id AND m.user_id = u.id);

-- Spending also by provider and by what the call was for, which SQLite adds to a primary key only in a
-- new table. `provider_id` is empty for what was spent before.
CREATE TABLE spending_by_kind (
    day TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL,
    provider_id TEXT NOT NULL,
    model TEXT NOT NULL,
    -- reply, unfinished, summary or plan.
    kind TEXT NOT NULL,
    calls BIGINT NOT NULL,
    -- Calls among them whose price is not known.
    unpriced BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost BIGINT NOT NULL,
    PRIMARY KEY (user_id, day, agent_id, provider_id, model, kind)
);
INSERT INTO spending_by_kind (day, user_id, agent_id, provider_id, model, kind, calls, unpriced, input_tokens,
                              output_tokens, cost)
SELECT day, user_id, agent_id, '', model, 'reply', calls, unpriced, input_tokens, output_tokens, cost
FROM spending;
DROP TABLE spending;
ALTER TABLE spending_by_kind RENAME TO spending;
CREATE INDEX spending_agent ON spending (agent_id, day);
CREATE INDEX spending_day ON spending (day);
CREATE INDEX spending_provider ON spending (provider_id, user_id);

ALTER TABLE holds ADD COLUMN provider_id TEXT NOT NULL DEFAULT '';

-- Which limit stopped an agent: it goes on when that one is changed. `scope` and `owner` as in `caps`.
CREATE TABLE stopped_agents (
    agent_id TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
    scope TEXT NOT NULL,
    owner TEXT NOT NULL
);
CREATE INDEX stopped_agents_limit ON stopped_agents (scope, owner);

-- Limits of which it was said that most of them is used up, once for each day, month or for ever.
CREATE TABLE warned_limits (
    scope TEXT NOT NULL,
    owner TEXT NOT NULL,
    -- Whose spending it was: a limit of a shared provider counts for each person.
    user_id TEXT NOT NULL,
    period TEXT NOT NULL,
    PRIMARY KEY (scope, owner, user_id, period)
);

-- What a person says that a model costs of which the hub knows no price. It counts for their own limits.
CREATE TABLE own_prices (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    -- Whole micro-dollars for a million tokens.
    input BIGINT NOT NULL,
    output BIGINT NOT NULL,
    PRIMARY KEY (user_id, model)
);

-- Models that were refused because a limit of an administrator applies and their price is not known.
CREATE TABLE wanted_prices (
    model TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    at BIGINT NOT NULL,
    PRIMARY KEY (model, user_id)
);
