-- How often tools were called on a day, and what became of it. Counted in the commit that ends the call in
-- tool_calls, of which a month of everybody's may be a million. It outlives the agent.
CREATE TABLE tool_counts (
    -- Days since 1970-01-01, in UTC.
    epoch_day BIGINT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL,
    -- model or page.
    caller TEXT NOT NULL,
    -- Empty: the agent had no such tool.
    name TEXT NOT NULL,
    -- As in tool_calls, or not_made: it waited for a device when the hub stopped.
    outcome TEXT NOT NULL,
    calls BIGINT NOT NULL,
    -- From the intent to the end, in all; 0 where nobody knows the end.
    took_ms BIGINT NOT NULL,
    PRIMARY KEY (user_id, epoch_day, agent_id, caller, name, outcome)
);
CREATE INDEX tool_counts_by_day ON tool_counts (epoch_day);

INSERT INTO tool_counts (epoch_day, user_id, agent_id, caller, name, outcome, calls, took_ms)
SELECT epoch_day, user_id, agent_id, caller, name, outcome, COUNT(*), CAST(SUM(took_ms) AS BIGINT)
FROM (SELECT c.finished_at / 86400000 AS epoch_day, c.user_id, c.agent_id, c.caller,
             CASE WHEN c.declared = 1
                       OR EXISTS (SELECT 1 FROM agent_tools t WHERE t.agent_id = c.agent_id AND t.name = c.name)
                  THEN c.name ELSE '' END AS name,
             c.outcome,
             CASE WHEN c.outcome IN ('unknown', 'not_made') OR c.finished_at < c.started_at THEN 0
                  ELSE c.finished_at - c.started_at END AS took_ms
      FROM tool_calls c WHERE c.finished_at IS NOT NULL AND c.outcome IS NOT NULL) AS ended
GROUP BY epoch_day, user_id, agent_id, caller, name, outcome;
