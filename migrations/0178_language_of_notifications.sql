-- The language in which a device and a channel are told, where their person has chosen none: that of the page on which
-- it was switched on.
ALTER TABLE push_devices ADD COLUMN language TEXT;
ALTER TABLE notification_channels ADD COLUMN language TEXT;
