-- The id of an account has the name that the code uses.

ALTER TABLE accounts RENAME COLUMN seal TO id;
ALTER TABLE sessions RENAME COLUMN seal TO account;
