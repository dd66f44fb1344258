"""Runs programs that nobody has read."""
