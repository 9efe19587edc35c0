-- What counts for the limit of the server: calls of providers that an administrator pays for. So far, all.
ALTER TABLE spending ADD COLUMN server_cost BIGINT NOT NULL DEFAULT 0;
ALTER TABLE holds ADD COLUMN server_amount BIGINT NOT NULL DEFAULT 0;

-- Sums of many stay numbers: no price is above 100,000 dollars for a million tokens, and no line of a day
-- above ten million dollars.
UPDATE own_prices SET input = 100000000000 WHERE input > 100000000000;
UPDATE own_prices SET output = 100000000000 WHERE output > 100000000000;
UPDATE spending SET cost = 10000000000000 WHERE cost > 10000000000000;
UPDATE spending SET input_tokens = 1000000000000000 WHERE input_tokens > 1000000000000000;
UPDATE spending SET output_tokens = 1000000000000000 WHERE output_tokens > 1000000000000000;
UPDATE spending SET server_cost = cost;
