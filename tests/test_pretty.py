"""Results for the eye: what is shown, that it fits, and that hostile labels stay text."""

from __future__ import annotations

import copy
import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from fuzzing import examples
from laya.errors import ArgumentTypeError
from laya.pretty import Pretty, print_result, render, to_html


def choice(probabilities, **extra):
    best = max(probabilities, key=probabilities.__getitem__)
    return {"type": "choice", "choice": best, "probabilities": probabilities, "confidence": 0.5, **extra}


def score(*probabilities):
    levels = {str(level): p for level, p in enumerate(probabilities)}
    value = sum(level * p for level, p in enumerate(probabilities))
    legend = {level: f"level text {level}" for level in levels}
    return {"type": "score", "score": value, "legend": legend, "probabilities": levels, "confidence": 0.25}


def noul(p):
    return {"type": "noul", "noul": p, "confidence": max(p, 1 - p)}


def result(answers, **usage):
    return {"model": "tiny", "answers": answers, "usage": {"input_tokens": 41, **usage}}


EVERY_TYPE = result(
    {
        "intent": choice({"refund": 0.7123, "other": 0.2, "bug": 0.0877}),
        "urgent": noul(0.913),
        "mood": score(0.1, 0.2, 0.7),
    }
)


def printed(value, elapsed_ms=None, **options):
    out = io.StringIO()
    print_result(value, elapsed_ms, out, **options)
    return out.getvalue()


def row(text, label):
    return next(line for line in text.splitlines() if line.strip().startswith(label))


def bar_length(line):
    return sum("▏▎▍▌▋▊▉█".index(cell) + 1 for cell in line if cell in "▏▎▍▌▋▊▉█")


def test_a_block_shows_answer_confidence_and_each_probability():
    text = printed(EVERY_TYPE)
    assert re.search(r"^intent +refund +confidence 0\.50$", text, re.MULTILINE)
    assert row(text, "refund").endswith(" 71.2%")
    assert row(text, "other").endswith(" 20.0%")
    assert row(text, "bug").endswith(" 8.8%")


def test_a_noul_shows_both_sides():
    text = printed(EVERY_TYPE)
    assert re.search(r"^urgent +true +confidence 0\.91$", text, re.MULTILINE)
    assert row(text, "true").endswith(" 91.3%")
    assert row(text, "false").endswith(" 8.7%")
    assert re.search(r"^urgent +false", printed(result({"urgent": noul(0.2)})), re.MULTILINE)


def test_a_score_shows_its_value_and_levels_in_order():
    text = printed(EVERY_TYPE)
    assert re.search(r"^mood +1\.60 of 2 +confidence 0\.25$", text, re.MULTILINE)
    rows = [line.strip()[:14] for line in text.splitlines() if "level text" in line]
    assert rows == ["0 level text 0", "1 level text 1", "2 level text 2"]


def test_the_last_line_has_model_tokens_cuts_and_milliseconds():
    assert printed(EVERY_TYPE, 3.21).splitlines()[-1] == "tiny, 41 tokens, 3.2 ms"
    cut = result({"urgent": noul(0.5)}, truncated=True, state_tokens_dropped=7)
    assert printed(cut).splitlines()[-1] == "tiny, 41 tokens, 7 tokens of the text were cut"


def test_the_text_of_a_question_can_be_shown():
    text = printed(EVERY_TYPE, question_text={"urgent": "Is it urgent?"})
    lines = text.splitlines()
    assert lines[lines.index("  Is it urgent?") - 1].startswith("urgent")
    assert "<em>Is it urgent?</em>" in to_html(EVERY_TYPE, question_text={"urgent": "Is it urgent?"})


def test_an_answer_below_the_threshold_is_marked():
    text = printed(result({"q": choice({"a": 0.6, "b": 0.4}, low_confidence=True)}))
    assert "low confidence 0.50" in text


def test_many_options_are_cut_to_the_most_probable():
    probabilities = {f"label{i}": (i + 1) / 210 for i in range(20)}
    text = printed(result({"q": choice(probabilities)}))
    assert [f"label{i}" for i in range(19, 9, -1)] == re.findall(r"^  (label\d+)", text, re.MULTILINE)
    assert "and 10 more, 26.2% together" in text


def test_labels_that_are_no_strings_are_found_again_after_json():
    answer = {"type": "choice", "choice": 2, "probabilities": {"1": 0.4, "2": 0.6}, "confidence": 0.1}
    assert "font-weight:bold'>2<" in to_html(result({"q": answer}))


@settings(deadline=None, max_examples=examples(50))
@given(
    st.dictionaries(st.text(min_size=1, max_size=60).filter(str.isascii), st.floats(0.0, 1.0), min_size=1, max_size=12),
    st.text(min_size=1, max_size=90).filter(str.isascii),
)
def test_every_line_fits_in_eighty_columns(probabilities, key):
    text = printed(result({key: choice(probabilities), "s": noul(0.5)}))
    assert max(map(len, text.split("\n"))) <= 80


@settings(deadline=None, max_examples=examples(50))
@given(st.lists(st.integers(1, 1000), min_size=2, max_size=8))
def test_longer_bars_mean_more_probability(weights):
    probabilities = {f"label{i}": weight / sum(weights) for i, weight in enumerate(weights)}
    text = printed(result({"q": choice(probabilities)}))
    lengths = {label: bar_length(row(text, f"{label} ")) for label in probabilities}
    ranked = sorted(probabilities, key=probabilities.__getitem__)
    assert [lengths[label] for label in ranked] == sorted(lengths.values())


@settings(deadline=None, max_examples=examples(50))
@given(st.integers(0, 320))
def test_a_bar_is_as_long_as_its_share(eighths):
    text = printed(result({"q": noul(eighths / 320)}))
    assert bar_length(row(text, "true")) == eighths


def test_colour_appears_only_on_a_terminal(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    terminal = Terminal()
    print_result(EVERY_TYPE, file=terminal)
    assert "\x1b[" in terminal.getvalue()
    assert "\x1b" not in printed(EVERY_TYPE)


def test_markup_and_escape_codes_of_labels_stay_text():
    text = printed(result({"q": choice({"[red]x[/red]": 0.6, "\x1b[31mred\nnext": 0.4})}))
    assert "[red]x[/red]" in text
    assert "\x1b" not in text
    assert "[31mred next" in text


def test_a_file_with_a_narrow_encoding_gets_what_it_can_carry():
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    print_result(result({"q": choice({"réponse": 0.75, "b": 0.25})}), file=out)
    out.flush()
    text = raw.getvalue().decode("ascii")
    assert row(text, "r?ponse").count("#") == 3 * row(text, "b").count("#") > 0


def test_html_escapes_every_text():
    evil = "<script>alert('x')</script>"
    html = to_html(
        {"model": evil, "answers": {evil: choice({evil: 1.0})}, "usage": {}}, question_text={evil: evil}, elapsed_ms=2
    )
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 5
    assert "2.0 ms" in html


def test_html_has_a_row_for_each_option():
    html = to_html(EVERY_TYPE)
    assert html.count("<tr>") == 3 + 3 + 2 + 3
    assert ">71.2%<" in html


def test_pretty_shows_itself_everywhere_and_leaves_the_dict_alone():
    before = copy.deepcopy(EVERY_TYPE)
    pretty = Pretty(EVERY_TYPE, 3.21)
    out = io.StringIO()
    Console(file=out, width=80, color_system=None).print(pretty)
    assert repr(pretty) == out.getvalue().rstrip("\n") == printed(EVERY_TYPE, 3.21).rstrip("\n")
    assert pretty._repr_html_() == to_html(EVERY_TYPE, elapsed_ms=3.21)
    assert pretty.result is EVERY_TYPE
    assert before == EVERY_TYPE


def test_standard_output_is_the_default(capsys):
    print_result(EVERY_TYPE)
    assert capsys.readouterr().out == printed(EVERY_TYPE)


def test_no_questions_give_the_last_line_alone():
    assert printed(result({})) == "tiny, 41 tokens\n"


@pytest.mark.parametrize("show", [render, to_html, print_result])
@pytest.mark.parametrize("value", [None, [EVERY_TYPE], {}, {"answers": None}, {"answers": {"q": "text"}}])
def test_anything_but_a_result_is_refused(show, value):
    with pytest.raises(ArgumentTypeError, match="a result is a dict whose 'answers'"):
        show(value)
