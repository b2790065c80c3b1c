"""The built-in security scan (DESIGN 7)."""

from __future__ import annotations

from asf_core.quality.scan.scanner import BuiltinScanner, policy_fingerprint
from asf_core.quality.scan.target import scan_skill, scan_target

__all__ = ["BuiltinScanner", "policy_fingerprint", "scan_skill", "scan_target"]
