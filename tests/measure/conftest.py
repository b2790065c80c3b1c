"""Helpers of the measurement's tests."""

import sys
from pathlib import Path

# Test modules share the trees and graphs of this directory.
sys.path.insert(0, str(Path(__file__).parent))
