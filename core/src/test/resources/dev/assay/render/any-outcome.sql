-- not serializable: an example
-- Open a session of your database client for each session named at the end of a line,
-- and paste the statements one by one, each into its session.
-- The history does not say at which isolation level it ran: set yours first.

CREATE TABLE registers (k VARCHAR(255) PRIMARY KEY, v VARCHAR(255));
INSERT INTO registers VALUES ('it''s', NULL);
INSERT INTO registers VALUES ('other', NULL);
CREATE TABLE sets (k VARCHAR(255) NOT NULL, v VARCHAR(255) NOT NULL, PRIMARY KEY (k, v));
CREATE TABLE counters (k VARCHAR(255) PRIMARY KEY, v BIGINT NOT NULL);
INSERT INTO counters VALUES ('c', 0);

START TRANSACTION;                                       -- session a, lost
UPDATE registers SET v = 'v\1' WHERE k = 'it''s';        -- session a, lost
START TRANSACTION;                                       -- session b, dirty
SELECT v FROM registers WHERE k = 'it''s';               -- session b, dirty: returned v\1
SELECT v FROM registers WHERE k = 'other';               -- session b, dirty: returned NULL
INSERT INTO sets VALUES ('s', '1');                      -- session b, dirty
UPDATE counters SET v = v + 2 WHERE k = 'c';             -- session b, dirty
COMMIT;                                                  -- session b, dirty
ROLLBACK;                                                -- session a, lost: aborted: could not?serialize
START TRANSACTION;                                       -- session a, late
SELECT v FROM sets WHERE k = 's';                        -- session a, late: returned [1]
SELECT v FROM counters WHERE k = 'c';                    -- session a, late: returned 2
SELECT v FROM registers WHERE k = 'other';               -- session a, late: the client never saw the result
UPDATE registers SET v = '7' WHERE k = 'other';          -- session a, late
-- session a, late, in terms of your own tables: select {"where":["=","v",7]} -> {}
COMMIT;                                                  -- session a, late: the client never learned the outcome
