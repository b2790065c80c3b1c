"""The composition root: the only place where stages meet."""
