"""The values of the control plane that front ends show, by one name for those outside the engine.

They are made by the rules and pass through the services unchanged; whoever shows them takes their
types from here and so depends on nothing below the services.
"""

from asf_core.domain.content import VersionRecord
from asf_core.governance.admission import AdmissionResult
from asf_core.governance.audit import LedgerResult
from asf_core.governance.candidates import Added
from asf_core.governance.checks import Check
from asf_core.governance.difference import Difference, FieldChange, FileChange
from asf_core.governance.drift import Drift
from asf_core.governance.evidence import ReceiptStatus
from asf_core.governance.lifecycle import Change
from asf_core.governance.scanning import ScanFinding, ScanResult
from asf_core.governance.worth import Worth
from asf_core.services.control.receipts import Examination, SignedScan
from asf_core.services.control.versions import Standing
from asf_core.store.keyring import KeyInfo
from asf_core.trust.verify import VerifiedReceipt

__all__ = [
    "Added",
    "AdmissionResult",
    "Change",
    "Check",
    "Difference",
    "Drift",
    "Examination",
    "FieldChange",
    "FileChange",
    "KeyInfo",
    "LedgerResult",
    "ReceiptStatus",
    "ScanFinding",
    "ScanResult",
    "SignedScan",
    "Standing",
    "VerifiedReceipt",
    "VersionRecord",
    "Worth",
]
