"""Which engines make up this program's scanner."""

from __future__ import annotations

from asf_core.domain.policy import TrustPolicy
from asf_core.governance.plane_checks import PlaneChecks
from asf_core.governance.scanning import CombinedScanner, SecurityScanner
from asf_core.services.control.trust import SCANNER_NAME


def build_scanner(policy: TrustPolicy) -> SecurityScanner:
    """The scanner whose receipts this program signs, under the policy in force."""
    version = program_version()
    return CombinedScanner(SCANNER_NAME, version, [PlaneChecks(policy, version)])


def program_version() -> str:
    """This program's version, which a scanner is trusted by."""
    from importlib.metadata import version

    return version("asf-workbench")
