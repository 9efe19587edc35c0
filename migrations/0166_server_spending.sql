-- What an administrator's providers cost, all people together: sixteen rows a day at most.
CREATE TABLE server_spending (
    day TEXT NOT NULL,
    -- The last letter of the id of who spent it, so that people seldom wait for one another.
    share TEXT NOT NULL,
    cost BIGINT NOT NULL,
    PRIMARY KEY (day, share)
);
INSERT INTO server_spending (day, share, cost)
SELECT day, SUBSTR(user_id, LENGTH(user_id), 1), CAST(SUM(server_cost) AS BIGINT)
FROM spending WHERE server_cost > 0 GROUP BY day, SUBSTR(user_id, LENGTH(user_id), 1);
