"""The control plane's values that the workbench shows. Slow to import: for annotations only."""

from asf_core.services.control.shown import *  # noqa: F403 - it says itself what it shows
