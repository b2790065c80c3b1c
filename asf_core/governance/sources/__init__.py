"""How sources project into the control plane, each in its own closed mode (DESIGN 8)."""
