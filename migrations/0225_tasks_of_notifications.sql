-- The task of a pipeline that its person does with a yes or no, for which the notification is.
ALTER TABLE notifications ADD COLUMN task TEXT;
