"""Moderation: orders of the operator, bans and mutes, reports of players, the audit log."""
