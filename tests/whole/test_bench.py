"""The bench as a maintainer runs it, on the sample registry's own tasks."""

from __future__ import annotations

from pathlib import Path

from tests.whole.process import SAMPLE, Asf

TASKS = str(SAMPLE / "tasks.jsonl")
HUNDRED = str(SAMPLE / "sample_100.jsonl")


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


def test_the_hundred_tasks_of_the_sample_find_their_skills_and_plans(synced: Asf) -> None:
    result = synced.json("bench", "--queries", HUNDRED, "--pooled-only")
    (report,) = result["reports"]
    assert report["overall"]["queries"] == 98  # two of them name their skill
    assert report["overall"]["hit_1"] >= 0.85
    assert report["overall"]["mrr"] >= 0.9
    assert report["abstention"]["negatives"] == 30
    assert report["plans"]["asked"] == 100
    assert report["plans"]["whole"] >= 0.9
    assert report["plans"]["deadlocks"] == 0
    published = result["published"]
    assert (published["hit_1"], published["mrr"], published["mean_skills"]) == (0.78, 0.81, 4.2)
    assert report["overall"]["hit_1"] > published["hit_1"]


def test_a_person_sees_them_beside_what_was_published(synced: Asf) -> None:
    page = synced.run("bench", "--queries", HUNDRED, "--pooled-only", "--limit", "20").stdout
    row = next(line for line in page.splitlines() if line.startswith("published"))
    assert row.split() == ["published", "0.780", "0.810", "4.2", "2,520", "-", "63.0", "94.0"]
    assert "Plans against those that the queries ask for" in page


def test_queries_of_another_registry_are_refused(synced: Asf, tmp_path) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text(
        '{"id": "1", "query": "x", "relevant": ["elsewhere/a"], "kind": "positive", "source": "t"}\n',
        encoding="utf-8",
    )
    done = synced.run("bench", "--queries", str(file), code=2)
    assert "None of the queries can be judged" in done.stderr


def test_a_calibration_is_recorded_and_used(synced: Asf) -> None:
    found = synced.json("bench", "--calibrate", "--queries", TASKS, "--limit", "10")
    names = [row["setting"] for row in found["measured"]]
    assert found["setting"] in names
    assert {"fast", "balanced", "best"} <= set(names)
    routed = synced.json("route", "check the citations of my manuscript")
    assert routed["setting"] == found["setting"]
    tight = synced.json(
        "bench", "--calibrate", "--queries", TASKS, "--limit", "4", "--budget-ms", "0.1"
    )
    assert not tight["within_budget"]
    (synced.workspace / "calibration.json").unlink()
    assert synced.json("route", "check the citations of my manuscript")["setting"] == "balanced"


def test_each_part_is_dropped_in_turn(synced: Asf) -> None:
    found = synced.json("bench", "--ablate", "--queries", TASKS, "--limit", "6", "--pooled-only")
    settings = [report["setting"] for report in found["reports"]]
    assert settings[0] == "balanced"
    assert {"balanced-words", "balanced-pairs", "balanced-dense"} <= set(settings[1:])
    assert found["reports"][0]["plans"]["deadlocks"] == 0


def test_a_fit_needs_two_sources_and_reports_what_it_did_not_see(synced: Asf, tmp_path) -> None:
    done = synced.run("bench", "--fit", "--queries", TASKS, code=2)
    assert "two" in done.stderr
    lines = Path(TASKS).read_text("utf-8").splitlines()
    halves = tmp_path / "halves.jsonl"
    changed = [
        line.replace('"source": "sample"', f'"source": "half {number % 2}"')
        for number, line in enumerate(lines)
    ]
    halves.write_text("\n".join(changed) + "\n", encoding="utf-8")
    found = synced.json("bench", "--fit", "--queries", str(halves), "--setting", "fast")
    assert found["weights"]["weights"].keys() == {"words", "pairs", "coverage"}
    assert 0 < found["weights"]["left_out"]["hit_1"] <= 1


def test_one_thing_at_a_time(synced: Asf) -> None:
    synced.run("bench", "--fit", "--ablate", "--queries", TASKS, code=2)
