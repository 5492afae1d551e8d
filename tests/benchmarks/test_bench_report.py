"""The arithmetic of the benchmark report: a wrong ratio or a missed difference would be published."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

FILE = Path(__file__).parents[2] / "benchmarks" / "bench_report.py"


@pytest.fixture(scope="module")
def report():
    spec = importlib.util.spec_from_file_location("bench_report", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def choice(**probabilities):
    return {"type": "choice", "probabilities": probabilities}


def cell(*rounds, **more):
    return {"rounds": {str(number): times for number, times in enumerate(rounds)}, **more}


def test_difference_is_the_largest_over_all_questions(report):
    ours = [{"a": choice(x=0.5, y=0.5), "b": {"type": "noul", "noul": 0.25}}]
    theirs = [{"a": choice(x=0.501, y=0.499), "b": {"type": "noul", "noul": 0.75}}]
    assert report.largest_difference(ours, theirs) == pytest.approx(0.5)
    assert report.largest_difference(ours, ours) == 0.0


def test_score_labels_compare_as_json_shows_them(report):
    ours = [{"s": {"type": "score", "score": 0.4, "probabilities": {0: 0.6, 1: 0.4}}}]
    theirs = [{"s": {"type": "score", "score": 0.4, "probabilities": {"0": 0.6, "1": 0.4}}}]
    assert report.largest_difference(ours, theirs) == 0.0


@pytest.mark.parametrize(
    ("theirs", "message"),
    [
        ([{"b": choice(x=1.0)}], "question ids"),
        ([{"a": choice(z=1.0)}], "labels"),
        ([], "shorter"),
    ],
)
def test_answers_to_other_questions_are_refused(report, theirs, message):
    with pytest.raises(ValueError, match=message):
        report.largest_difference([{"a": choice(x=1.0)}], theirs)


def test_ratio_pairs_rounds_and_ignores_those_that_one_engine_lacks(report):
    slow = report.medians(cell([2.0, 2.0, 8.0], [9.0], [100.0]))
    fast = report.medians({"rounds": {"0": [1.0], "1": [3.0]}})
    assert report.ratio(slow, fast) == "2.50x (2.00-3.00)"
    assert report.verdict(slow, fast, 2.5) == "met (>= 2.5)"
    assert report.verdict(slow, fast, 2.6) == "MISSED (>= 2.6)"
    assert report.ratio({}, fast) == "-"
    assert report.verdict({}, fast, 1.0) == "not measured"


def test_best_mode_belongs_to_the_engine_that_was_asked_for(report):
    cells = {
        "ours: default": cell([0.5]),
        "peer: default": cell([4.0]),
        "peer: loop": cell([2.0], [9.0], [2.0]),
        "peer: given up": cell(note="> 9 s"),
        "peer-bf16: default": cell([1.0]),
    }
    assert report.best_mode(cells, "peer") == "peer: loop"
    assert report.best_mode(cells, "peer-bf16") == "peer-bf16: default"
    assert report.best_mode({}, "peer") is None


def test_cells_say_why_they_are_empty(report):
    assert report.shown(cell([0.001, 0.002, 0.003]), "ms") == "2 (1.5-2.5)"
    assert report.shown(cell(note="> 900 s"), "s") == "> 900 s"
    assert report.shown(cell(), "s") == "no quiet sample"
    assert report.shown(None, "s") == "-"


def test_only_exact_engines_are_accused(report):
    assert report.difference({"difference": 2e-4}) == "**2.0e-04**"
    assert report.difference({"difference": 2e-4}, exact=False) == "2.0e-04"
    assert report.difference({"difference": 5e-5}) == "5.0e-05"
    assert report.difference({"difference": 0.0}) == "0.0e+00"
    assert report.difference({"difference": "state 0: labels differ"}) == "state 0: labels differ"
    assert report.difference(None) == "-"


def section(**changes):
    probes = [{"gflops": 180.0, "quiet": True}]
    cells = {"short, 1q": {"ours": cell([0.01], difference=1e-5), "peer": cell([0.02])}}
    plain = {"part": "predict", "date": "today", "rounds": 1, "command": "cmd", "discarded": 0, "foreign_limit": 0.1}
    return plain | {"probes": probes, "cells": cells} | changes


@pytest.mark.parametrize(
    ("changes", "warned"),
    [
        ({}, False),
        ({"foreign_limit": 0.5}, True),
        ({"probes": [{"gflops": 60.0, "quiet": False}]}, True),
    ],
)
def test_a_disturbed_section_says_do_not_quote(report, changes, warned):
    machine = {"cpu": "c", "cores": 2, "flags": "", "memory_gib": 1, "system": "s"}
    versions = {"ours": {"python": "3"}}
    data = {"machine": machine, "threads": 2, "versions": versions, "sections": {"m: predict": section(**changes)}}
    text = report.render(data)
    assert "| short, 1q | 10 | 20 | 2.00x (1 round) | met (>= 1.3) | 1.0e-05 |" in text
    assert ("do not quote" in text) is warned


@pytest.mark.parametrize(("seconds", "goal"), [(0.3, "met (< 0.5 s)"), (0.7, "MISSED (< 0.5 s)")])
def test_embedded_load_is_judged_by_the_clock(report, seconds, goal):
    lines = report.cold_lines({"load": {"ours": cell([seconds])}})
    assert goal in lines[2]
    assert goal not in report.cold_lines({"load": {"ours": cell([seconds]), "peer": cell([3.0])}})[2]
