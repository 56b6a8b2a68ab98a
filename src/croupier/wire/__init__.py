"""Generic codecs and the common language of connections and tables; sees core only."""
