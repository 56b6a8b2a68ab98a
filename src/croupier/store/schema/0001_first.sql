-- Tables, what happened at them, and the matches played there. Times are ISO 8601 in UTC, so that they sort.

CREATE TABLE tables (
    key     INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    game    TEXT NOT NULL,
    config  TEXT NOT NULL,
    created TEXT NOT NULL,
    closed  TEXT
);

-- After a restart only the open tables are needed, out of all that ever existed.
CREATE INDEX tables_open ON tables (key) WHERE closed IS NULL;

-- A table's entries are numbered from 0 without gaps and stored next to each other.
CREATE TABLE log (
    table_key INTEGER NOT NULL,
    number    INTEGER NOT NULL,
    entry     TEXT NOT NULL,
    PRIMARY KEY (table_key, number)
) WITHOUT ROWID;

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

CREATE INDEX matches_by_time ON matches (started, id);
CREATE INDEX matches_of_game ON matches (game, started, id);
