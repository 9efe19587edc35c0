-- Whose room a line of the audit takes: a person's, that of strangers ('-'), or nobody's: lines of
-- administrators and of the hub itself are let go of by their age alone.
ALTER TABLE audit ADD COLUMN share TEXT NOT NULL DEFAULT '';
UPDATE audit SET share =
    CASE WHEN via = 'visitor' THEN '-'
         WHEN via = 'terminal' OR actor IN (SELECT id FROM users WHERE role = 'admin') THEN ''
         WHEN actor = '' THEN person
         ELSE actor END;
CREATE INDEX audit_share ON audit (share, action, seq);

-- How many lines each has of each kind.
CREATE TABLE audit_shares (
    share TEXT NOT NULL,
    action TEXT NOT NULL,
    lines BIGINT NOT NULL,
    PRIMARY KEY (share, action)
);
INSERT INTO audit_shares (share, action, lines)
    SELECT share, action, COUNT(*) FROM audit WHERE share <> '' GROUP BY share, action;

-- Lines in a row that were let go of to make room, with the hash of the last of them, under a seal that needs
-- the master key. No two of them touch.
CREATE TABLE audit_gaps (
    first_seq BIGINT PRIMARY KEY,
    last_seq BIGINT NOT NULL UNIQUE,
    hash TEXT NOT NULL,
    seal TEXT NOT NULL
);
