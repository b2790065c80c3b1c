"""Are the index's files still those that LanceDB wrote?

It keeps no digests of them: damaged bytes come back as other vectors, or end in a panic. Its files
are written once and never changed, so their digests are noted beside the index, and damage is
found before LanceDB sees it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from asf_core.store.files import discard, replace_file
from asf_core.store.integrity import FileDigest, Stamp, digest_of, files_below, stamp_of


class _Sealed(NamedTuple):
    digest: FileDigest
    stamp: Stamp


class IndexSeal:
    """The digests of an index's files.

    Args:
        root: Directory of the index.
        note: File that keeps them, outside of it.
    """

    def __init__(self, root: Path, note: Path) -> None:
        self._root = root
        self._note = note

    def problem(self, *, whole: bool = False) -> str | None:
        """What is wrong with the first file that is not as it was sealed.

        A file that is gone is no problem: a clean-up may have removed it after the last sealing.
        Should it be needed, LanceDB misses it.

        Args:
            whole: Read every file, not only those that may have changed since.
        """
        for name, sealed in self._read().items():
            path = self._root / name
            try:
                if (whole or stamp_of(path) != sealed.stamp) and digest_of(path) != sealed.digest:
                    return f"{name} has other content than was written"
            except FileNotFoundError:
                continue
            except OSError as error:
                return f"{name}: {error.strerror or error}"
        return None

    def renew(self) -> None:
        """Seal the files that are new since; the caller holds the workspace's lock.

        Should that fail, they are as safe as LanceDB keeps them, until the next time.
        """
        with suppress(OSError):
            known = self._read()
            found: dict[str, _Sealed] = {}
            for name in _lasting(self._root):
                stamp, sealed = stamp_of(self._root / name), known.get(name)
                if sealed is None or sealed.stamp != stamp:
                    sealed = _Sealed(digest_of(self._root / name), stamp)
                found[name] = sealed
            if found != known:
                replace_file(self._note, json.dumps(found).encode())

    def forget(self) -> None:
        """Drop the digests, before the index is made anew under the same names."""
        discard(self._note)

    def _read(self) -> Mapping[str, _Sealed]:
        try:
            found: Any = json.loads(self._note.read_bytes())
            return {
                name: _Sealed(FileDigest(int(d[0]), str(d[1])), Stamp(*map(int, s)))
                for name, (d, s) in found.items()
            }
        except (OSError, ValueError, TypeError, AttributeError, IndexError, RecursionError):
            return {}  # Then nothing is known of them, as before the first sealing.


def _lasting(root: Path) -> list[str]:
    """Its files that are never written again; of the others LanceDB can do without."""
    return [name for name in files_below(root) if not name.endswith(".json")]
