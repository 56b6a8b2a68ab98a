-- Accounts, their sessions, who played in which match, and ratings. Secrets are digests or hashes.

CREATE TABLE accounts (
    seal     TEXT NOT NULL PRIMARY KEY,
    key      TEXT NOT NULL UNIQUE,
    name     TEXT NOT NULL,
    password TEXT NOT NULL,
    created  TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE sessions (
    digest  TEXT NOT NULL PRIMARY KEY,
    seal    TEXT NOT NULL,
    created TEXT NOT NULL,
    used    TEXT NOT NULL,
    ended   INTEGER NOT NULL  -- it stands for nobody any more; what was taken with it stays the account's
) WITHOUT ROWID;

CREATE INDEX sessions_of_account ON sessions (seal);

-- The seats of matches in which somebody with an account plays. *who* is a seal, 'bot <strength>' or nobody in
-- particular; mu and sigma are the rating after the match.
CREATE TABLE players (
    match_id TEXT NOT NULL,
    seat     INTEGER NOT NULL,
    who      TEXT NOT NULL,
    game     TEXT NOT NULL,
    ended    TEXT,
    place    INTEGER,
    rated    INTEGER NOT NULL DEFAULT 0,
    mu       REAL,
    sigma    REAL,
    PRIMARY KEY (match_id, seat)
) WITHOUT ROWID;

CREATE INDEX players_by_time ON players (who, ended, match_id) WHERE who <> '';
CREATE INDEX players_unrated ON players (ended, match_id) WHERE place IS NOT NULL AND rated = 0;

CREATE TABLE ratings (
    game    TEXT NOT NULL,
    who     TEXT NOT NULL,
    mu      REAL NOT NULL,
    sigma   REAL NOT NULL,
    matches INTEGER NOT NULL,
    PRIMARY KEY (game, who)
) WITHOUT ROWID;

CREATE INDEX ratings_best ON ratings (game, mu - 1.96 * sigma);

-- When what a desk remembers was last of use, so that it can be forgotten one day.
ALTER TABLE kept ADD COLUMN used TEXT NOT NULL DEFAULT '';
UPDATE kept SET used = date('now');
