from __future__ import annotations

import json

import pytest

import laya
from laya.errors import CheckpointError
from laya.evals.matcher import has_matcher, matcher_of
from reader_reference import write_reader

QUESTIONS = {"q": {"type": "choice", "instructions": "which", "criteria": ["refund", "delivery"]}}
ALONE = {"reader": {"layers": 0, "tau": [9.0, 9.0, 9.0]}, "temperature": [2.0, 1.0, 1.0]}


def configure(folder, **keys):
    file = folder / "rl_agent_config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | keys))


@pytest.fixture
def trained(tmp_path):
    return write_reader(tmp_path / "trained")


def test_the_matcher_is_the_trunk_alone_with_numbers_of_its_own(trained, tmp_path):
    plain = write_reader(tmp_path / "plain")
    configure(plain, **ALONE)
    configure(trained, matcher=ALONE, temperature_by_options={"choice:2": 5.0})
    with matcher_of(str(trained)) as matcher, laya.load(str(plain)) as agent, laya.load(str(trained)) as reader:
        answers = [each.predict("my parcel is late", QUESTIONS)["answers"] for each in (matcher, agent, reader)]
    assert answers[0] == answers[1] != answers[2]


def test_a_checkpoint_without_matcher_says_how_to_name_one(trained):
    assert not has_matcher(str(trained))
    with pytest.raises(CheckpointError, match="--beside"), matcher_of(str(trained)):
        pass
