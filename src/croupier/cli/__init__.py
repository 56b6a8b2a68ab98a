"""The command line. Nothing here is imported by the server."""
