"""The control plane: what may become active, for whom, and on what evidence (DESIGN 8).

Rules take values and a reference time; what they read and write goes through
:mod:`asf_core.governance.ports`, one transaction an operation.
"""
