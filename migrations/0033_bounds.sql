-- The entry of the log that wrote the value: once another one does, it need not keep it. NULL: nobody knows.
ALTER TABLE agent_state ADD COLUMN seq BIGINT;

-- A scope of its own for agents. Tokens that were for models could call agents too, and still can.
UPDATE tokens SET scope = 'agents' WHERE scope = 'models';

-- 1: the program that has the token passes on what others wrote, so its messages are words of strangers.
ALTER TABLE tokens ADD COLUMN relays BIGINT NOT NULL DEFAULT 0;
