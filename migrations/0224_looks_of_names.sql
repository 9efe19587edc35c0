-- What a name looks like, as it is shown and in small letters: the same for all names that people could take for each
-- other. NULL: not reckoned yet.
ALTER TABLE users ADD COLUMN look TEXT;
ALTER TABLE users ADD COLUMN login_look TEXT;
UPDATE users SET look = '', login_look = '' WHERE role = 'removed';
CREATE INDEX users_by_look ON users (look);
CREATE INDEX users_by_login_look ON users (login_look);
