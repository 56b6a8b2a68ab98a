"""Several nodes that are one house: leases, messages between nodes, forwarded connections."""
