"""The permanent goals of robustness and secrecy, measured: `make chaos`, docs/security.md."""
