-- Messages for which a run is to begin and which none has read: noted in the commit of the message,
-- forgotten in that of the run which reads it.
CREATE TABLE unread_messages (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    PRIMARY KEY (agent_id, seq)
);

-- The process of the hub that began the run or took it up. A row that is running there and that the process
-- does not know is nobody's.
ALTER TABLE runs ADD COLUMN process TEXT;
-- The agent's `last_seq` when the run began. It orders the runs of an agent, whatever the clock said.
ALTER TABLE runs ADD COLUMN began_after BIGINT NOT NULL DEFAULT 0;

-- Orders the rules of a person, of which the newest that fits decides, whatever the clock said.
ALTER TABLE policy_rules ADD COLUMN place BIGINT NOT NULL DEFAULT 0;
