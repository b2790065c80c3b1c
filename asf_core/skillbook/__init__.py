"""The Skillbook: issues that agents met, what was learnt of them, and how it helped (DESIGN 9)."""
