-- The most harm that a call may do for which the rule holds: none, low, medium, high or critical. NULL: any.
-- An answer holds for what can do no more harm than what was shown.
ALTER TABLE policy_rules ADD COLUMN risk_at_most TEXT;

-- What was shown for earlier answers is not known here. Who wants more than this is asked again.
UPDATE policy_rules SET risk_at_most = 'medium' WHERE approval_id IS NOT NULL;
