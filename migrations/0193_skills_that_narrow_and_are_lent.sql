-- To which hosts and which files a skill keeps the run that has loaded it, as JSON. None: to none.
ALTER TABLE loaded_skills ADD COLUMN hosts TEXT;
ALTER TABLE loaded_skills ADD COLUMN mounts TEXT;

-- Skills that administrators lend, each its administrator's own: to everybody, or to groups.
CREATE TABLE lent_skills (
    skill_id TEXT PRIMARY KEY REFERENCES skills (id) ON DELETE CASCADE,
    everyone BIGINT NOT NULL
);
CREATE TABLE lent_skill_groups (
    skill_id TEXT NOT NULL REFERENCES lent_skills (skill_id) ON DELETE CASCADE,
    group_id TEXT NOT NULL REFERENCES people_groups (id) ON DELETE CASCADE,
    PRIMARY KEY (skill_id, group_id)
);
CREATE INDEX lent_skill_groups_group ON lent_skill_groups (group_id);

-- Versions that nobody's agents are given any more, whoever accepted them.
CREATE TABLE revoked_skills (
    digest TEXT PRIMARY KEY,
    -- What it was called where it was seen.
    name TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX skill_versions_digest ON skill_versions (digest);
