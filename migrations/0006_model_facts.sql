-- What administrators know of models beyond what the program ships: an `entered` row counts before a
-- `refreshed` one, and both before the shipped ones.
CREATE TABLE model_facts (
    model TEXT NOT NULL,
    -- entered or refreshed.
    source TEXT NOT NULL,
    -- agent::facts::Row as JSON.
    facts TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (source, model)
);
