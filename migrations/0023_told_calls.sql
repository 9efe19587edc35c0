-- What its provider has told of a call for which money is held, as JSON: it is booked at the next start if
-- the process ends within the call. NULL: nothing yet.
ALTER TABLE holds ADD COLUMN told TEXT;
