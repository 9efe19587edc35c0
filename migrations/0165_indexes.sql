-- What is looked up by one agent, person or conversation, found without reading all rows.
CREATE INDEX runs_by_agent ON runs (agent_id, began_after);
CREATE INDEX policy_rules_of_agents ON policy_rules (agent_id);
CREATE INDEX delegations_by_person ON delegations (user_id, created_at);
CREATE INDEX unread_messages_of_conversations ON unread_messages (conversation_id);
CREATE INDEX users_by_role ON users (role);
CREATE INDEX devices_by_end ON devices (expires_at);
CREATE INDEX known_browsers_by_last ON known_browsers (last_at);

-- What goes with a row that is deleted.
CREATE INDEX invites_by_maker ON invites (created_by);
CREATE INDEX approvals_of_agents ON approvals (agent_id);
CREATE INDEX approvals_of_people ON approvals (user_id);
CREATE INDEX policy_rules_of_runs ON policy_rules (run_id);
CREATE INDEX shared_with_people_by_person ON shared_with_people (user_id);
CREATE INDEX shared_with_groups_by_group ON shared_with_groups (group_id);
CREATE INDEX wanted_prices_by_person ON wanted_prices (user_id);
CREATE INDEX notifications_by_agent ON notifications (agent_id);
CREATE INDEX notifications_by_pipeline ON notifications (pipeline_id);
CREATE INDEX push_answers_by_device ON push_answers (device_id);

-- The providers that each person can use. The two halves have no row in common, and a database that need not look for
-- one finds a person's own by its indexes.
DROP VIEW usable_providers;
CREATE VIEW usable_providers AS
SELECT p.user_id AS user_id, p.id AS provider_id, p.user_id AS owner_id FROM providers p
UNION ALL
SELECT u.id, p.id, p.user_id
FROM shared_providers s
JOIN providers p ON p.id = s.provider_id
JOIN users o ON o.id = p.user_id AND o.role = 'admin' AND o.disabled = 0
JOIN users u ON u.id <> p.user_id
WHERE s.everyone = 1
   OR EXISTS (SELECT 1 FROM shared_with_people w WHERE w.provider_id = s.provider_id AND w.user_id = u.id)
   OR EXISTS (SELECT 1 FROM shared_with_groups g
              JOIN people_group_members m ON m.group_id = g.group_id
              WHERE g.provider_id = s.provider_id AND m.user_id = u.id);
