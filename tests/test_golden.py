"""Answers, usage and errors of the golden checkpoints, through the public API."""

import importlib.util
import itertools
import json
import math
import shutil
import warnings
from pathlib import Path

import pytest

import laya

GOLDEN = Path(__file__).resolve().parents[2] / "shared" / "golden"
NAMES = ["tiny-bert", "tiny-nohead", "tiny-par", "tiny-seq", "tiny-wp"]
TOLERANCE = 1e-4

pytestmark = pytest.mark.skipif(not GOLDEN.is_dir(), reason="the golden checkpoints are not beside this checkout")

# control tokens in user text are neutralised, blank labels refused
DIFFERENT_ON_PURPOSE = {"state/mask-literal", "question/choice-mask", "question/choice-labels"}
OUR_USAGE_KEYS = {"instruction_tokens_dropped", "option_tokens_dropped", "windows", "options"}


@pytest.fixture(scope="module")
def cases():
    spec = importlib.util.spec_from_file_location("golden_cases", GOLDEN / "golden.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def recorded():
    return json.loads((GOLDEN / "golden.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=NAMES)
def agent(request, recorded):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        loaded = laya.load(GOLDEN / "ckpt" / request.param)
    assert sorted(str(w.message) for w in seen) == recorded[request.param]["load_warnings"]
    with loaded:
        loaded.golden_name = request.param
        yield loaded


def outcome(call, *args, **options):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return {"result": json.loads(json.dumps(call(*args, **options)))}
    except Exception as exc:
        return {"error": type(exc), "message": str(exc)}


def tied(want, got):
    """Whether two labels were equally likely in the recording: which of them is named is a matter of rounding."""
    recorded = want["probabilities"]
    return abs(recorded[want["choice"]] - recorded[got["choice"]]) <= TOLERANCE


def differences(want, got, path=""):
    if isinstance(want, dict):
        ours = OUR_USAGE_KEYS | (set() if want.get("state_tokens") else got.keys()) if path.endswith("usage") else set()
        keys = want.keys() | (got.keys() - ours)
        if want.get("type") == "choice" and tied(want, got):
            keys.remove("choice")
        return [d for key in keys for d in differences(want.get(key), got.get(key), f"{path}.{key}")]
    if isinstance(want, list):
        if len(want) != len(got):
            return [f"{path}: {want} became {got}"]
        return [d for i, (a, b) in enumerate(zip(want, got, strict=True)) for d in differences(a, b, f"{path}[{i}]")]
    if isinstance(want, float) and isinstance(got, float):
        # recorded answers are rounded to four places
        return [] if math.isclose(want, got, abs_tol=TOLERANCE) else [f"{path}: {want} became {got}"]
    return [] if want == got or path.endswith(".model") else [f"{path}: {want} became {got}"]


def compare(want, got, case):
    if "error" in want:
        assert "error" in got, f"{case} should fail with {want['message']}"
        assert want["error"] in {base.__name__ for base in got["error"].__mro__}
        assert got["message"] == want["message"]
        return
    assert "result" in got, f"{case} failed: {got}"
    assert not differences(want["result"], got["result"], case)


def test_every_single_case_agrees(agent, cases, recorded):
    recording = recorded[agent.golden_name]["cases"]
    for case, state, question, options in cases.CASES:
        if case in DIFFERENT_ON_PURPOSE:
            continue
        got = outcome(agent.predict, cases.resolve(state), cases.QUESTIONS[question], **options)
        compare(recording[case], got, case)


def test_every_batch_case_agrees(agent, cases, recorded):
    recording = recorded[agent.golden_name]["cases"]
    for case, states, question, options in cases.BATCHES:
        wanted = recording[case]
        texts = [cases.resolve(s) for s in states]
        got = outcome(agent.predict_batch, texts, cases.QUESTIONS[question], **options)
        if "mask-literal" in states:
            drop = states.index("mask-literal")
            del wanted["result"][drop], got["result"][drop]
        compare(wanted, got, case)


def test_loading_and_predicting_write_nothing_into_the_checkpoint(tmp_path):
    folder = tmp_path / "checkpoint"
    shutil.copytree(GOLDEN / "ckpt" / "tiny-seq", folder)

    def contents():
        files = (path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}

    before = contents()
    with laya.load(folder) as agent:
        agent.predict("hello", {"q": {"type": "noul", "instructions": "Is it a greeting?"}})
    assert contents() == before


def numbers(value):
    """All numbers of an answer by their path."""
    if isinstance(value, dict):
        return {(key, *path): x for key, item in value.items() for path, x in numbers(item).items()}
    return {(): value} if isinstance(value, float) else {}


def close(a, b, tolerance=1e-5):
    a, b = numbers(a), numbers(b)
    return a.keys() == b.keys() and all(abs(a[path] - b[path]) <= tolerance for path in a)


def test_an_answer_does_not_depend_on_how_its_batch_is_packed(agent, cases):
    states = [cases.resolve(name) for name in cases.STATES]
    questions = cases.QUESTIONS["mixed"]
    alone = [agent.predict(state, questions)["answers"] for state in states]
    for batch_size in (None, 1, 3, 7):
        for order in (states, states[::-1]):
            together = agent.predict_batch(order, questions, batch_size)
            answers = [result["answers"] for result in together][:: 1 if order is states else -1]
            assert all(close(a, b) for a, b in zip(alone, answers, strict=True))


def test_an_answer_does_not_depend_on_the_other_questions(agent, cases):
    questions = cases.QUESTIONS["mixed"]
    together = agent.predict(cases.EN, dict(reversed(questions.items())))["answers"]
    for qid, question in questions.items():
        assert close(together[qid], agent.predict(cases.EN, {qid: question})["answers"][qid])


def test_in_the_parallel_layout_an_answer_does_not_depend_on_the_order_of_options(cases):
    choice = cases.CH3
    with laya.load(GOLDEN / "ckpt" / "tiny-par") as agent:
        plain = agent.predict(cases.EN, {"q": choice})["answers"]["q"]
        for order in itertools.permutations(choice["criteria"].items()):
            other = agent.predict(cases.EN, {"q": {**choice, "criteria": dict(order)}})["answers"]["q"]
            assert close(plain["probabilities"], other["probabilities"])
            assert other["choice"] == plain["choice"]
