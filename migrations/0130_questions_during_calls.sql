-- What is asked of a person while a call is under way. 0: whether the call is made, or what it is made to ask;
-- from 1 on, what the server that it calls asks.
ALTER TABLE approvals ADD COLUMN nth BIGINT NOT NULL DEFAULT 0;
DROP INDEX approvals_of_runs;
CREATE UNIQUE INDEX approvals_of_runs ON approvals (run_id, turn, call_id, nth);
