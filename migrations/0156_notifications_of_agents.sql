-- Who chose of what to be notified had no choice of messages of agents yet, which they would not have left out.
UPDATE notification_settings SET settings = REPLACE(settings, '"kinds":[', '"kinds":["message",')
WHERE settings NOT LIKE '%"kinds":[]%';
