"""The terminal workbench over :mod:`asf_core`."""
