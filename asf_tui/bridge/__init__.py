"""The only package that calls the Engine; what an area needs of it stands in a module of its own."""

from asf_tui.bridge.desk import Desk, Signer
from asf_tui.bridge.engine import Engine
from asf_tui.bridge.opening import Measure, Opener, Session, ensure_registry, measure, opener
from asf_tui.bridge.settings import check_setting, setting_names

__all__ = [
    "Desk",
    "Engine",
    "Measure",
    "Opener",
    "Session",
    "Signer",
    "check_setting",
    "ensure_registry",
    "measure",
    "opener",
    "setting_names",
]
