"""The workbench's areas."""
