"""Frozen values. Nothing here does I/O or imports another layer."""
