"""Anti-slop gate, canonicalisation, listing budget, security scan, lint."""
