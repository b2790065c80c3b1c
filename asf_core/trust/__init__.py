"""Bytes in, verified values out. No I/O."""
