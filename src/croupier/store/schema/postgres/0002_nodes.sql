-- Several servers may share the database as nodes of one house.

-- The secret of the house: signs messages between nodes, and names its subjects on the bus.
ALTER TABLE croupier ADD COLUMN key TEXT NOT NULL DEFAULT gen_random_uuid()::text || gen_random_uuid()::text;

-- A server that does not share the database is its only one. A node that is draining takes nothing new.
ALTER TABLE node ADD COLUMN shared BOOLEAN NOT NULL DEFAULT false, ADD COLUMN draining BOOLEAN NOT NULL DEFAULT false;

-- Owner 0: nobody. Kind 'service', name 'main': the lobbies, tournaments, accounts and ratings.
CREATE INDEX thing_of_owner ON thing (owner);
