"""Network: sockets, HTTP API, pages, metrics."""
