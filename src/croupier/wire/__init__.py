"""Codecs, and the requests and notes between connections and tables; imports only core."""
