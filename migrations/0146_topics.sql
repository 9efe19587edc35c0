-- Agents that hear what is published under a topic.
CREATE TABLE topic_subscriptions (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    topic TEXT NOT NULL,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    -- Of what is published it hears that for which this holds; without one, everything.
    condition TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, topic, agent_id)
);
CREATE INDEX topic_subscriptions_by_agent ON topic_subscriptions (agent_id);
-- What was published lately.
CREATE TABLE topic_messages (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    topic TEXT NOT NULL,
    -- Empty: their person.
    agent_id TEXT NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    untrusted BIGINT NOT NULL,
    -- How many heard it.
    heard BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX topic_messages_by_topic ON topic_messages (user_id, topic, at);
