-- Where a program wants to be told how a task goes on. A row goes when its end was told, or when nobody could be.
CREATE TABLE task_pushes (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    -- The program's own, or the task's.
    id TEXT NOT NULL,
    token_id TEXT NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
    -- The address and by what the program knows the hub there.
    sealed TEXT NOT NULL,
    -- How the task stood when it was told of last.
    told TEXT NOT NULL,
    -- How often the same was tried in vain.
    tries BIGINT NOT NULL,
    -- When it is looked at again, in Unix milliseconds.
    due_at BIGINT NOT NULL,
    PRIMARY KEY (run_id, id)
);
CREATE INDEX task_pushes_token ON task_pushes (token_id);
CREATE INDEX task_pushes_due ON task_pushes (due_at);
