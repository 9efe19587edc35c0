-- 1: it goes with all others that are gathered for this target, in one.
ALTER TABLE notification_deliveries ADD COLUMN gathered BIGINT NOT NULL DEFAULT 0;
CREATE INDEX notification_deliveries_gathered ON notification_deliveries (target)
    WHERE gathered = 1 AND state = 'waiting';
