"""The version of the rules by which skills are related."""

GRAPH_VERSION = "5"
"""Raised when equal skills give other references, mentions or edges, so that workspaces renew
theirs: every skill is then read anew (and none is encoded anew)."""
