-- To which hosts and which files a skill keeps the run that has loaded it, as JSON. None: to none.
ALTER TABLE loaded_skills ADD COLUMN hosts TEXT;
ALTER TABLE loaded_skills ADD COLUMN mounts TEXT;
