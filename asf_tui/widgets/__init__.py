"""Pieces that areas share."""
