"""The edge: sockets, HTTP, pages, metrics."""
