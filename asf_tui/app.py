"""The application: modes, themes, global keys."""
