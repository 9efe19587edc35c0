-- What a page was allowed once and for all has been a rule since 0017.
DROP TABLE page_consents;

-- Questions that were settled long ago are let go of: the log and the calls keep what was decided.
CREATE INDEX approvals_settled ON approvals (settled_at);
