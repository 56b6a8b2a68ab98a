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
    ended   INTEGER NOT NULL  -- 1: the token is no longer valid; seats taken with it still belong to the account
) WITHOUT ROWID;

CREATE INDEX sessions_of_account ON sessions (seal);

-- The seats of matches in which an account plays. *who* is the id of an account (column seal), 'bot <strength>' or
-- empty for a guest; mu and sigma are the rating after the match.
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

-- The last day on which stored data of a lobby was used, so that unused data can be deleted.
ALTER TABLE kept ADD COLUMN used TEXT NOT NULL DEFAULT '';
UPDATE kept SET used = date('now');
