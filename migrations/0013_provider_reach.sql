-- Who calls the provider's models: the hub, or the browser in which the loop runs (hub or device).
ALTER TABLE providers ADD COLUMN reach TEXT NOT NULL DEFAULT 'hub';
