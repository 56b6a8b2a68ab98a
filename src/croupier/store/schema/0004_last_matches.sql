-- After a restart every open table is read from the line where its last match began.

CREATE INDEX matches_of_table ON matches (table_id, first);
