"""Skills on disk: discover, parse, provenance."""
