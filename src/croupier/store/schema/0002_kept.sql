-- What lobbies store about their users; a realm is a game.

CREATE TABLE kept (
    realm TEXT NOT NULL,
    name  TEXT NOT NULL,
    data  TEXT NOT NULL,
    PRIMARY KEY (realm, name)
) WITHOUT ROWID;
