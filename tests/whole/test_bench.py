"""The bench as a maintainer runs it, on the sample registry's own tasks."""

from __future__ import annotations

from tests.whole.process import SAMPLE, Asf

TASKS = str(SAMPLE / "tasks.jsonl")


def test_the_bench_reports_every_figure_and_compares_settings(synced: Asf) -> None:
    result = synced.json(
        "bench", "--registry", "sample_registry", "--queries", TASKS, "--baseline", "fast",
        "--limit", "20",
    )  # fmt: skip
    first, second = result["reports"]
    assert (first["setting"], second["setting"]) == ("balanced", "fast")
    overall = first["overall"]
    assert overall["queries"] > 5
    for name in ("hit_1", "hit_5", "mrr", "ndcg_10", "recall_100", "own_hit_1", "own_mrr"):
        assert 0 <= overall[name] <= 1
    assert overall["hit_1"] <= overall["mrr"] <= overall["hit_5"] <= 1
    assert {"encode", "recall", "rerank"} <= first["latency_by_stage"].keys()
    assert first["abstention"]["negatives"] > 0
    (comparison,) = result["comparisons"]
    assert (comparison["first"], comparison["second"]) == ("fast", "balanced")
    interval = comparison["differences"]["hit_1"]
    assert interval["low"] <= interval["mean"] <= interval["high"]
    assert result["peak_memory_mb"] > 50


def test_queries_of_another_registry_are_refused(synced: Asf, tmp_path) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text(
        '{"id": "1", "query": "x", "relevant": ["elsewhere/a"], "kind": "positive", "source": "t"}\n',
        encoding="utf-8",
    )
    done = synced.run("bench", "--queries", str(file), code=2)
    assert "None of the queries can be judged" in done.stderr
