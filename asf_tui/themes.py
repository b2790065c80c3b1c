"""Colour themes."""
