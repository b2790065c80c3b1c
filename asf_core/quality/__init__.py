"""Anti-slop signals, canonicalisation, security scan, lint."""
