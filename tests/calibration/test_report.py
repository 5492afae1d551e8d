import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.calibration import ece_score, plot_reliability, reliability_table
from laya.errors import ArgumentError

PAIRS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40)


@given(PAIRS, st.integers(1, 12))
def test_the_table_sums_up_to_the_calibration_error(pairs, bins):
    confidence, correct = zip(*pairs, strict=True)
    rows = reliability_table(confidence, correct, bins)
    assert len(rows) == bins
    assert sum(row["count"] for row in rows) == len(pairs)
    full = [row for row in rows if row["count"]]
    error = sum(row["count"] * abs(row["confidence"] - row["accuracy"]) for row in full) / len(pairs)
    assert error == pytest.approx(ece_score(confidence, correct, bins))
    assert all(row["low"] <= row["confidence"] <= row["high"] for row in full)


def test_empty_bins_are_there_and_say_nothing():
    assert reliability_table([0.9], [1], bins=2) == [
        {"low": 0.0, "high": 0.5, "count": 0, "confidence": None, "accuracy": None},
        {"low": 0.5, "high": 1.0, "count": 1, "confidence": 0.9, "accuracy": 1.0},
    ]


@pytest.mark.parametrize(("name", "start"), [("r.svg", b"<?xml"), ("r.png", b"\x89PNG")])
def test_a_diagram_is_written(tmp_path, name, start):
    file = plot_reliability([0.6, 0.9, 0.95], [0, 1, 1], tmp_path / name, title="Teams")
    assert file == tmp_path / name
    assert file.read_bytes().startswith(start)


def test_a_diagram_of_nothing_is_refused(tmp_path):
    with pytest.raises(ArgumentError, match="empty"):
        plot_reliability([], [], tmp_path / "r.png")
    assert not list(tmp_path.iterdir())
