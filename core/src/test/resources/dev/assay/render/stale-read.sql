-- not serializable: an example
-- Open a session of your database client for each session named at the end of a line,
-- and paste the statements one by one, each into its session.

CREATE TABLE registers (k BIGINT PRIMARY KEY, v BIGINT);
INSERT INTO registers VALUES (1, 0);

START TRANSACTION ISOLATION LEVEL REPEATABLE READ;       -- session 2, writer
UPDATE registers SET v = 5 WHERE k = 1;                  -- session 2, writer
COMMIT;                                                  -- session 2, writer
START TRANSACTION ISOLATION LEVEL REPEATABLE READ;       -- session 1, stale
SELECT v FROM registers WHERE k = 1;                     -- session 1, stale: returned 0
COMMIT;                                                  -- session 1, stale
