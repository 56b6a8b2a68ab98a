"""Several nodes that together are one server: leases, messages between nodes, forwarded connections."""
