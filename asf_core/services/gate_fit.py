"""Fitting the gate, offline: ``python -m asf_core.services.gate_fit --help``.

Reads graded skills, measures their signals as a sync does, fits, cross-validates and writes the
coefficients that come with the program. Nothing that it reads is run.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from asf_core.domain.errors import AsfError, InputError
from asf_core.domain.skill import Skill, SkillState
from asf_core.quality import model as gate
from asf_core.quality.calibration import Sample, expected_model, gate_model, mean_auc
from asf_core.quality.facts import SkillFacts
from asf_core.quality.gate import GateInput, degrees, judge
from asf_core.quality.labels import read_labels
from asf_core.quality.signals import SIGNALS
from asf_core.services.reading_quality import read_for_quality

_BATCH = 256


class Pool:
    """Graded skills among others, as a workspace would hold them."""

    def __init__(self) -> None:
        self.skills: dict[str, tuple[Skill, SkillFacts]] = {}
        self.grades: dict[str, int] = {}
        self._digest = hashlib.sha256()

    def add_registry(self, root: Path) -> None:
        """Take in every skill of a directory; one that is there already stays as it is."""
        for skill, facts in read_for_quality(root, root.resolve().name):
            self.skills.setdefault(skill.manifest.id, (skill, facts))

    def add_registries(self, root: Path) -> None:
        """Take in the registries below a directory."""
        for child in sorted(root.iterdir()):
            if child.is_dir():
                self.add_registry(child)

    def grade(self, labels: Path, prefix: str) -> None:
        """Note the grades of a table.

        Args:
            labels: The table.
            prefix: What stands before its paths in ids; empty where they begin with a registry.

        Raises:
            InputError: A graded skill is not there.
        """
        self._digest.update(labels.read_bytes())
        for label in read_labels(labels):
            skill_id = f"{prefix}{label.path}"
            if skill_id not in self.skills:
                raise InputError(
                    f"{labels} grades {label.path!r}, which is not there",
                    hint="Name the tree that the labels were given for",
                )
            self.grades[skill_id] = label.grade

    def digest(self) -> str:
        """SHA-256 over the label tables and over every skill's description and body."""
        digest = self._digest.copy()
        for skill_id, (skill, facts) in sorted(self.skills.items()):
            text = f"{skill_id}\0{skill.manifest.description}\0{facts.body}\0"
            digest.update(text.encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    def sample(self) -> Sample:
        """The strengths of the graded skills among all."""
        found = judge(self._inputs(), self._vectors(), expected_model())
        graded = [one for one in found.judgements if one.skill_id in self.grades]
        rows = [[np.nan if s.strength is None else s.strength for s in j.signals] for j in graded]
        strengths = np.array(rows, np.float64)
        usual = np.nanmean(strengths, axis=0)
        return Sample(
            strengths=np.where(np.isnan(strengths), usual, strengths),
            grades=np.array([self.grades[one.skill_id] for one in graded], np.int64),
            registries=[one.skill_id.partition("/")[0] for one in graded],
        )

    def _inputs(self) -> list[GateInput]:
        from asf_core.graph.build import build_edges
        from asf_core.services.reading import graph_input
        from asf_core.services.reading_quality import gate_input

        whole = (s for s, _ in self.skills.values() if s.state is not SkillState.BROKEN)
        edges = build_edges(graph_input(skill) for skill in whole).edges
        degree = degrees(edges)
        return [
            gate_input(skill, facts, degree.get(skill.manifest.id, 0))
            for skill, facts in self.skills.values()
        ]

    def _vectors(self) -> dict[int, NDArray[np.float32]]:
        from asf_core.retrieval.models.loading import Encoders
        from asf_core.services.judging import encoded_text

        dense = Encoders().dense
        texts = {
            f.description.key: encoded_text(s.manifest.description) for s, f in self.skills.values()
        }
        keys = [key for key, text in texts.items() if text]
        found: dict[int, NDArray[np.float32]] = {}
        for start in range(0, len(keys), _BATCH):
            some = keys[start : start + _BATCH]
            found.update(zip(some, dense.encode([texts[key] for key in some]), strict=True))
        return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, report, write."""
    asked = _parser().parse_args(arguments)
    try:
        pool = _pool(asked)
        sample = pool.sample()
        model = gate_model(sample, datetime.now(UTC).date().isoformat(), pool.digest())
    except AsfError as error:
        print(f"gate_fit: {error}", file=sys.stderr)
        return 2
    _report(model)
    if asked.ablate:
        _ablate(sample)
    asked.out.write_text(model.model_dump_json(indent=1) + "\n", encoding="utf-8")
    print(f"Written: {asked.out}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m asf_core.services.gate_fit")
    parser.add_argument(
        "--labels", nargs=2, action="append", default=[], type=Path, metavar=("TSV", "DIR"),
        help="grades, and the tree of registries (one a directory) that they are of",
    )  # fmt: skip
    parser.add_argument(
        "--registry", nargs=2, action="append", default=[], type=Path, metavar=("TSV", "DIR"),
        help="grades, and the one registry that they are of",
    )  # fmt: skip
    parser.add_argument(
        "--context", action="append", default=[], type=Path, metavar="DIR",
        help="a tree of registries without grades, as neighbours",
    )  # fmt: skip
    parser.add_argument("--ablate", action="store_true", help="refit without each signal in turn")
    parser.add_argument("--out", type=Path, default=Path(gate.__file__).with_name(gate.FILE))
    return parser


def _pool(asked: argparse.Namespace) -> Pool:
    if not asked.labels and not asked.registry:
        raise InputError("There are no labels", hint="Give --labels TSV DIR or --registry TSV DIR")
    pool = Pool()
    for _, root in asked.labels:
        pool.add_registries(root)
    for _, root in asked.registry:
        pool.add_registry(root)
    for root in asked.context:
        pool.add_registries(root)
    for labels, _ in asked.labels:
        pool.grade(labels, "")
    for labels, root in asked.registry:
        pool.grade(labels, f"{root.resolve().name}/")
    return pool


def _report(model: gate.GateModel) -> None:
    print(f"{model.labels} skills of grade 0, 1, 2; data {model.data_sha256[:16]}")
    for name, figure in model.figures.items():
        print(f"  {name:32} {figure:8.3f}")
    print(f"bias {model.bias:+.3f}")
    for name, one in model.coefficients.items():
        print(f"  {name:28} weight {one.weight:+.3f}  usual {one.usual:.3f}  good {one.good:.3f}")


def _ablate(sample: Sample) -> None:
    whole = mean_auc(sample)
    print(f"AUC, slop against the rest, by registry and by tenth: {whole[0]:.3f} {whole[1]:.3f}")
    for signal in SIGNALS:
        less = mean_auc(sample, signal.id)
        print(f"  without {signal.id:28} {less[0] - whole[0]:+.3f} {less[1] - whole[1]:+.3f}")


if __name__ == "__main__":
    sys.exit(main())
