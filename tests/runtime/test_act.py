import math

import numpy as np
import pytest

from laya.runtime.act import act_logits, confidence_features, gelu


def test_features_by_hand():
    scores = np.array([99.0, 0.0, math.log(3.0), -50.0, 2.0, 7.0, 1.0, 1.0, 1.0], np.float32)
    starts = np.array([0, 3, 5, 9])
    found = confidence_features(scores, starts)
    entropy = -(0.25 * math.log(0.25) + 0.75 * math.log(0.75)) / math.log(2)
    assert found[0] == pytest.approx([0.75, 0.5, entropy, 2 / 255])
    assert found[1] == pytest.approx([1.0, 1.0, 0.0, 2 / 255])
    assert found[2] == pytest.approx([1 / 3, 0.0, 1.0, 3 / 255], abs=1e-6)


def test_features_survive_extreme_scores():
    found = confidence_features(np.array([0.0, 1e38, -1e38], np.float32), np.array([0, 3]))
    assert found[0] == pytest.approx([1.0, 1.0, 0.0, 2 / 255])


def test_gelu_is_the_exact_one():
    values = np.linspace(-6, 6, 41, dtype=np.float32)
    wanted = [0.5 * v * (1 + math.erf(v / math.sqrt(2))) for v in values.tolist()]
    assert gelu(values) == pytest.approx(wanted, abs=1e-6)
    assert gelu(values).dtype == np.float32


def test_the_head_reads_the_first_token_of_each_row():
    features = np.arange(10, dtype=np.float32).reshape(5, 2)
    scores, starts = np.zeros(5, np.float32), np.array([0, 2, 5])
    first = np.zeros((3, 6), np.float32)
    first[0, 0] = first[1, 1] = 1.0
    head = (first, np.zeros(3, np.float32), np.eye(3, dtype=np.float32), np.full(3, 2.0, np.float32))
    assert act_logits(head, features, scores, starts) == pytest.approx(
        np.stack([gelu(features[[0, 2], 0]), gelu(features[[0, 2], 1]), np.zeros(2)], axis=1) + 2
    )
