-- The key by which the cards of a peer are signed since it was added. NULL: they are not, as far as is known.
ALTER TABLE peers ADD COLUMN signer TEXT;
