"""Messages between workers, widgets and screens."""
