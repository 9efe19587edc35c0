-- Kinds of agents of a person: what one is to be, and how many of them there are to be. `definition` is what a form
-- for an agent sends. NULL in `most`: any number.
CREATE TABLE agent_roles (
    id TEXT PRIMARY KEY NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    definition TEXT NOT NULL,
    least BIGINT NOT NULL,
    most BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX agent_roles_name ON agent_roles (user_id, name);

ALTER TABLE agents ADD COLUMN role_id TEXT REFERENCES agent_roles (id) ON DELETE SET NULL;
CREATE INDEX agents_of_role ON agents (role_id);
