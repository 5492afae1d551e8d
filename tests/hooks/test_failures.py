from __future__ import annotations

import logging

import pytest
from hook_builders import chain_of, while_handling
from hypothesis import given
from hypothesis import strategies as st

from laya.hooks.failures import chain, join, report, reraise, walk


@st.composite
def tangles(draw):
    """Exceptions whose contexts point anywhere, themselves included."""
    nodes = [Exception(str(i)) for i in range(draw(st.integers(1, 6)))]
    for node in nodes:
        node.__context__ = draw(st.none() | st.sampled_from(nodes))
    return nodes


@given(tangles(), st.data())
def test_a_chain_is_finite_holds_everything_once_and_keeps_the_originals_order(nodes, data):
    original, later = data.draw(st.sampled_from(nodes)), data.draw(st.sampled_from(nodes))
    before, added = walk(original), walk(later)
    chain(original, later)
    after = chain_of(original)
    assert after[: len(before)] == before
    assert after[len(before) :] == [node for node in added if node not in before]
    chain(original, later)
    assert chain_of(original) == after


@given(tangles(), st.data())
def test_joining_loses_no_failure_and_lets_an_interrupt_come_first(nodes, data):
    interrupt = data.draw(st.none() | st.just(KeyboardInterrupt()))
    failures = data.draw(st.lists(st.sampled_from(nodes)))
    if interrupt is not None:
        interrupt.__context__ = data.draw(st.none() | st.sampled_from(nodes))
        failures.insert(data.draw(st.integers(0, len(failures))), interrupt)
    original = data.draw(st.just([]) | st.sampled_from(nodes).map(walk))
    wanted = {id(node) for start in failures for node in walk(start)} | {id(node) for node in original}
    raised = join(failures, original)
    expected = interrupt or (original[0] if original else failures[0] if failures else None)
    assert raised is expected
    if raised is not None:
        found = chain_of(raised)
        assert {id(node) for node in found} == wanted
        positions = [found.index(node) for node in original if node is not interrupt]
        assert positions == sorted(positions)


def test_explicit_causes_are_kept():
    original, cause, later = ValueError("o"), OSError("c"), RuntimeError("l")
    original.__cause__ = cause
    chain(original, later)
    assert original.__cause__ is cause
    assert chain_of(original) == [original, later]


def test_reraise_keeps_the_chain_while_another_exception_is_handled():
    inner, error = KeyError(), ValueError()
    error.__context__ = inner
    with pytest.raises(ValueError) as caught:
        while_handling(OSError(), lambda: reraise(error))
    assert chain_of(caught.value) == [error, inner]


class UnprintableError(Exception):
    def __str__(self):
        raise ValueError


def test_a_report_names_the_type_and_survives_an_exception_without_text(caplog):
    with pytest.warns(RuntimeWarning, match="^laya: hook object.on_load failed: UnprintableError$"):
        report(object(), "on_load", UnprintableError())
    assert caplog.records[0].event == "on_load"


def test_a_report_survives_a_broken_log_filter():
    def broken(record):
        raise OSError

    logger = logging.getLogger("laya.hooks")
    logger.addFilter(broken)
    try:
        report(object(), "on_load", ValueError("x"))
    finally:
        logger.removeFilter(broken)
