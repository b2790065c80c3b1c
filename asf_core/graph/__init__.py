"""The skill knowledge graph."""
