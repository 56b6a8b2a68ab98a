-- Written by the store of schema version 3: `iterdump` of the file, and its numbers.
BEGIN TRANSACTION;
CREATE TABLE accounts (
    seal     TEXT NOT NULL PRIMARY KEY,
    key      TEXT NOT NULL UNIQUE,
    name     TEXT NOT NULL,
    password TEXT NOT NULL,
    created  TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO "accounts" VALUES('s1','anna','Anna','hash 1','2026-11-01T10:00:00Z');
CREATE TABLE kept (
    realm TEXT NOT NULL,
    name  TEXT NOT NULL,
    data  TEXT NOT NULL, used TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (realm, name)
) WITHOUT ROWID;
CREATE TABLE log (
    table_key INTEGER NOT NULL,
    number    INTEGER NOT NULL,
    entry     TEXT NOT NULL,
    PRIMARY KEY (table_key, number)
) WITHOUT ROWID;
INSERT INTO "log" VALUES(1,0,'{"kind":"sat","seat":0,"name":"Zoë","number":1,"token":"d"}');
INSERT INTO "log" VALUES(1,1,'{"kind":"began","match":"t0-1","players":["Anna","bob"],"at":"2026-11-15T20:31:27Z"}');
INSERT INTO "log" VALUES(1,2,'{"kind":"acted","seat":1,"actions":["play 2C"]}');
INSERT INTO "log" VALUES(1,3,'{"kind":"acted","seat":1,"actions":["play 2C"]}');
INSERT INTO "log" VALUES(1,4,'{"kind":"ended","match":"t0-1","at":"2026-11-15T20:40:00Z","scores":[1,2]}');
INSERT INTO "log" VALUES(1,5,'{"kind":"began","match":"t0-2","players":["Anna","bob"],"at":"2026-11-15T20:41:00Z"}');
INSERT INTO "log" VALUES(1,6,'{"kind":"acted","seat":1,"actions":["play 2C"]}');
INSERT INTO "log" VALUES(1,7,'{"kind":"acted","seat":1,"actions":["play 2C"]}');
CREATE TABLE matches (
    id       TEXT NOT NULL PRIMARY KEY,
    table_id TEXT NOT NULL,
    game     TEXT NOT NULL,
    players  TEXT NOT NULL,
    options  TEXT NOT NULL,
    started  TEXT NOT NULL,
    ended    TEXT,
    result   TEXT,
    first    INTEGER NOT NULL,
    last     INTEGER
);
INSERT INTO "matches" VALUES('t0-1','t0','hearts','["Anna", "bob"]','{}','2026-11-15T20:31:27Z','2026-11-15T20:40:00Z','[1,2]',1,4);
INSERT INTO "matches" VALUES('t0-2','t0','hearts','["Anna", "bob"]','{}','2026-11-15T20:41:00Z',NULL,NULL,5,NULL);
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
INSERT INTO "players" VALUES('t0-1',0,'s1','hearts',NULL,NULL,0,NULL,NULL);
CREATE TABLE ratings (
    game    TEXT NOT NULL,
    who     TEXT NOT NULL,
    mu      REAL NOT NULL,
    sigma   REAL NOT NULL,
    matches INTEGER NOT NULL,
    PRIMARY KEY (game, who)
) WITHOUT ROWID;
CREATE TABLE sessions (
    digest  TEXT NOT NULL PRIMARY KEY,
    seal    TEXT NOT NULL,
    created TEXT NOT NULL,
    used    TEXT NOT NULL,
    ended   INTEGER NOT NULL  -- it stands for nobody any more; what was taken with it stays the account's
) WITHOUT ROWID;
CREATE TABLE tables (
    key     INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    game    TEXT NOT NULL,
    config  TEXT NOT NULL,
    created TEXT NOT NULL,
    closed  TEXT
);
INSERT INTO "tables" VALUES(1,'t0','hearts','{}','2026-11-15T20:31:26Z',NULL);
INSERT INTO "tables" VALUES(2,'t1','hearts','{}','2026-11-15T20:31:26Z',NULL);
CREATE INDEX tables_open ON tables (key) WHERE closed IS NULL;
CREATE INDEX matches_by_time ON matches (started, id);
CREATE INDEX matches_of_game ON matches (game, started, id);
CREATE INDEX sessions_of_account ON sessions (seal);
CREATE INDEX players_by_time ON players (who, ended, match_id) WHERE who <> '';
CREATE INDEX players_unrated ON players (ended, match_id) WHERE place IS NOT NULL AND rated = 0;
CREATE INDEX ratings_best ON ratings (game, mu - 1.96 * sigma);
COMMIT;
PRAGMA user_version = 3;
PRAGMA application_id = 1129469264;
