-- not serializable: an example
-- Open a session of your database client for each session named at the end of a line,
-- and paste the statements one by one, each into its session.
-- Lists are stored as text: [1 2] is 1,2, with a comma after each element.

CREATE TABLE lists (k VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PRIMARY KEY, v VARCHAR(4000) NOT NULL);
INSERT INTO lists VALUES ('x', '');
INSERT INTO lists VALUES ('y', '');

SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;            -- session 8, T74
START TRANSACTION;                                       -- session 8, T74
SELECT v FROM lists WHERE k = 'y';                       -- session 8, T74: returned []
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;            -- session 2, T60
START TRANSACTION;                                       -- session 2, T60
UPDATE lists SET v = CONCAT(v, '1,') WHERE k = 'x';      -- session 2, T60
COMMIT;                                                  -- session 2, T60
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;            -- session 3, T71
START TRANSACTION;                                       -- session 3, T71
SELECT v FROM lists WHERE k = 'x';                       -- session 3, T71: returned [1]
UPDATE lists SET v = CONCAT(v, '9,') WHERE k = 'y';      -- session 3, T71
COMMIT;                                                  -- session 3, T71
UPDATE lists SET v = CONCAT(v, '5,') WHERE k = 'x';      -- session 8, T74
COMMIT;                                                  -- session 8, T74
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;            -- session 1, T90
START TRANSACTION;                                       -- session 1, T90
SELECT v FROM lists WHERE k = 'x';                       -- session 1, T90: returned [1 5]
COMMIT;                                                  -- session 1, T90
