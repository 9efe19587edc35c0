-- A yes to a call of the web without a host held for every host.
DELETE FROM policy_rules WHERE approval_id IS NOT NULL AND about IS NULL AND tool = 'fetch';

-- What an administrator shares is shared as long as they are one and may sign in.
DROP VIEW usable_providers;
CREATE VIEW usable_providers AS
SELECT p.user_id AS user_id, p.id AS provider_id, p.user_id AS owner_id FROM providers p
UNION
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

-- For which server (scheme, host, port) a secret is; empty: for none. NULL: it was sealed before that was
-- sealed in with it.
ALTER TABLE secrets ADD COLUMN server TEXT;
