"""The only module that calls the Engine."""
