"""Running ONNX models: quiet, offline, and with no more threads than the process may use.

Each session computes in the thread that calls it and owns no thread pool; several texts, or
several models, run side by side in our own workers. On two cores that is faster than one session
with two threads (9 ms against 15 ms for a task of 16 tokens through both encoders), it leaves
nothing that spins or binds itself to cores, and one text gives the same numbers whatever else is
being encoded.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.errors import ModelMissingError
from asf_core.retrieval.models.files import ModelFiles

_FATAL = 4
_CGROUP_QUOTA = Path("/sys/fs/cgroup/cpu.max")


class OnnxModel:
    """An open model with its tokenizer. Safe to use from several threads at once."""

    def __init__(self, files: ModelFiles) -> None:
        """Open it.

        Args:
            files: Checked files.

        Raises:
            ModelMissingError: ONNX Runtime or the tokenizer library cannot read them.
        """
        self.files = files
        try:
            self._session = _session(files.model)
            self.tokenizer = load_tokenizer(files.tokenizer)
        except ModelMissingError:
            raise
        # The library raises exceptions of its own, without a common base.
        except Exception as error:
            raise ModelMissingError(
                f"The {files.role} model in {files.root} cannot be opened",
                why=" ".join(str(error).split())[:300],
                hint="It needs an ONNX graph that runs on a CPU, and its own tokenizer.json",
            ) from error
        self._inputs = {item.name for item in self._session.get_inputs()}
        self._output = _output_name([item.name for item in self._session.get_outputs()])

    def run(self, ids: Sequence[int], types: Sequence[int] | None = None) -> NDArray[np.float32]:
        """Run one text.

        One at a time on purpose: the int8 graphs scale their activations over the whole batch, so
        in a batch a text's numbers depend on its neighbours (cosine 0.997 with itself) and on
        padding, and a skill's vector would change with the company it was indexed in.

        Args:
            ids: Token ids with the special tokens in place, (t,).
            types: Segment of each token, (t,); all 0 if not given.

        Returns:
            The model's output for it, without the batch dimension: (t, D) hidden states, (D,) an
            embedding, or (1,) a score.
        """
        row = np.asarray(ids, np.int64)[None]
        feed = {
            "input_ids": row,
            "attention_mask": np.ones_like(row),
            "token_type_ids": np.zeros_like(row)
            if types is None
            else np.asarray([types], np.int64),
        }
        wanted = {name: feed[name] for name in self._inputs}
        output = self._session.run([self._output], wanted)[0]
        return np.asarray(output[0], np.float32)


def allowed_cores() -> int:
    """How many cores this process may use: its affinity, and its container's quota if any."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS or Windows
        cores = os.cpu_count() or 1
    return max(1, min(cores, _quota() or cores))


@lru_cache(maxsize=1)
def workers() -> ThreadPoolExecutor:
    """The threads that encode, one a core, shared by all models."""
    return ThreadPoolExecutor(allowed_cores(), thread_name_prefix="asf-encode")


if hasattr(os, "register_at_fork"):
    # A forked child has none of its parent's threads, and would wait for them for ever.
    os.register_at_fork(after_in_child=workers.cache_clear)


def load_tokenizer(path: Path) -> Any:
    """Open a tokenizer that neither pads nor cuts (two of the bundled ones do by default).

    Raises:
        ModelMissingError: The file is none that the tokenizer library reads.
    """
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    # The library raises a bare Exception.
    except Exception as error:
        raise ModelMissingError(
            f"The tokenizer {path} cannot be opened",
            why=" ".join(str(error).split())[:300],
            hint="It must be a tokenizer.json of the tokenizers library",
        ) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def splits_at_punctuation(tokenizer: Any) -> tuple[str, ...] | None:
    """The special tokens of a tokenizer that lowers case and splits as BERT's does.

    Returns:
        Texts that it takes for one token each; ``None`` if it splits in another way.
    """
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer

    normalizer, splitter = tokenizer.normalizer, tokenizer.pre_tokenizer
    if not isinstance(normalizer, BertNormalizer) or not isinstance(splitter, BertPreTokenizer):
        return None
    if not normalizer.lowercase:
        return None
    return tuple(token.content for token in tokenizer.get_added_tokens_decoder().values())


def _session(path: Path) -> Any:
    ort = _onnxruntime()
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # Whatever it would print is raised as well, and the screen is the workbench's.
    options.log_severity_level = _FATAL
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _onnxruntime() -> Any:
    # Official builds send telemetry from 1.29 on, and only this variable, set before the import,
    # stops it whole. Nothing of a registry leaves the machine.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.set_default_logger_severity(_FATAL)
    return onnxruntime


def _output_name(names: Sequence[str]) -> str:
    known = ("last_hidden_state", "token_embeddings", "logits", "sentence_embedding")
    return next((name for name in known if name in names), names[0])


def _quota() -> int | None:
    try:
        text = _CGROUP_QUOTA.read_text("ascii")
    except OSError:
        return None
    found = re.match(r"(\d+) (\d+)", text)
    return math.ceil(int(found[1]) / int(found[2])) if found else None
