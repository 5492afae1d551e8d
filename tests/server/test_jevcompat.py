"""The third-party conformance suite: everything that the protocol demands or recommends, with and without a key."""

import pytest
from jevcompat import runner

from server_builders import Running

KEY = "a-key-of-the-test"
CONDITIONAL = {
    "no key": {"auth.bearer", "auth.missing", "auth.invalid"},
    "key": {"auth.ignored-when-off"},
}


@pytest.mark.filterwarnings("ignore:laya. no multilingual:RuntimeWarning")  # the suite asks in Korean too
@pytest.mark.parametrize("mode", list(CONDITIONAL))
def test_every_requirement_passes(mode):
    key = KEY if mode == "key" else None
    with Running(api_key=key) as server:
        report = runner.run(server.url, key=key, timeout=60)
    failed = {r.id: [finding.message for finding in r.findings] for r in report.results if r.status == "fail"}
    assert not failed
    assert {r.id for r in report.results if r.status == "skip"} == CONDITIONAL[mode]
    assert report.verdict == "conformant"
