"""Helpers of the Skillbook's tests."""

import sys
from pathlib import Path

# Test modules share the helpers of this directory.
sys.path.insert(0, str(Path(__file__).parent))
