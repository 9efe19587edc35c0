-- Of a provider's own search: whose it is, and the model that searches.
ALTER TABLE search_sources ADD COLUMN provider_id TEXT;
ALTER TABLE search_sources ADD COLUMN model TEXT;
