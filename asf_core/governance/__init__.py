"""Decisions about skills, recorded."""
