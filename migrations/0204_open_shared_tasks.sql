-- What agents of other people were asked and have not answered: few, however many there were.
CREATE INDEX delegations_open_shared ON delegations (state) WHERE kind = 'shared' AND state IN ('queued', 'running');
