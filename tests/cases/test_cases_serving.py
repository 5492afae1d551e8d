"""Situations that operators of such servers report, each over real connections.

Where another file shows a situation already, `SHOWN` names the test.
"""

import json
import threading
import urllib.error
import urllib.request

import pytest

from case_tables import missing
from router_builders import Calls, Gate, Threads
from server_builders import ENOUGH, NOUL, Running, body, client, fake_router, wait_until

SHOWN = {
    "work of clients who have gone is dropped before it runs": [
        "server/test_scheduler.py::test_work_of_a_caller_who_has_gone_is_dropped_before_it_runs",
        "server/test_server_app.py::test_a_client_that_hangs_up_is_noticed",
    ],
    "a body that stalls is given up": ["server/test_server_bodies.py::test_a_slow_body_is_given_up"],
    "overload is told, with a status that can be chosen and the time to come again": [
        "server/test_server_app.py::test_a_busy_server_says_when_to_come_again",
        "server/test_server_app.py::test_the_status_of_overload_can_be_another",
        "clients/test_clients.py::test_a_busy_server_is_asked_again",
    ],
    "schemes in any case, a challenge on 401, another header, several keys, rotation": [
        "server/test_server_auth.py::test_the_scheme_is_read_in_any_case",
        "server/test_server_auth.py::test_a_key_is_needed_before_anything_is_read",
        "server/test_server_auth.py::test_every_key_has_an_owner",
        "server/test_server_auth.py::test_keys_change_while_the_server_runs",
    ],
    "probes answer HEAD; readiness, metrics and models have routes": [
        "server/test_server_app.py::test_probes_answer_to_head_too",
        "server/test_server_app.py::test_metrics_count_requests_calls_and_the_queue",
        "server/test_server_app.py::test_models_have_names_that_requests_take_and_limits",
    ],
    "compressed bodies": ["server/test_server_bodies.py::test_a_compressed_body_is_answered_alike"],
    "keys that occur twice, NaN, lone surrogates, deep nesting, huge numbers, other charsets": [
        "server/test_server_bodies.py::test_what_is_not_strict_json_is_refused",
        "server/test_server_bodies.py::test_what_json_writes_is_read",
    ],
    "a model that is a number or empty, too many states": [
        "server/test_server_reading.py::test_a_bad_field_is_named",
        "server/test_server_reading.py::test_states_are_limited",
    ],
    "request ids are echoed and reach hooks": ["server/test_server_app.py::test_an_id_is_echoed_and_seen_by_hooks"],
    "a cold start is told, and never meets the first request": [
        "server/test_server_app.py::test_health_loads_nothing",
        "server/test_server_app.py::test_a_server_that_cannot_load_lives_and_is_not_ready",
    ],
}


def test_every_test_that_is_named_exists():
    assert missing(SHOWN) == []


def send(sock, sent):
    raw = json.dumps(sent).encode()
    sock.sendall(b"POST /v1/systemone HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n%s" % (len(raw), raw))


def ask(server, headers=(), **changes):
    """Status, headers and value of one request."""
    sent = json.dumps(body(**changes)).encode()
    request = urllib.request.Request(f"{server.url}/v1/systemone", sent, dict(headers))  # noqa: S310 - our own server
    try:
        with urllib.request.urlopen(request, timeout=ENOUGH) as answered:  # noqa: S310 - as above
            return answered.status, answered.headers, json.load(answered)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.headers, json.load(refused)


def test_a_client_does_not_wait_for_those_who_have_gone():
    gate, seen = Gate(), []

    def start(ctx):
        seen.append(ctx.states[0])
        gate()

    with fake_router(hooks=[Calls("on_predict_start", start)]) as router, Running(router) as server:
        stats = server.service.scheduler.stats
        gone = [server.connect() for _ in range(6)]
        send(gone[0], body(state="runs already"))
        gate.wait()
        for sock in gone[1:]:
            send(sock, body(state="gone"))
        wait_until(lambda: stats().queued == 5)
        for sock in gone:
            sock.close()
        wait_until(lambda: stats().queued == 0)
        live = Threads().start(ask, server, state="live")
        wait_until(lambda: stats().queued == 1)
        gate.open()
        ((status, _, _),) = live.join()
        assert stats().cancelled == 5
    assert (status, seen) == (200, ["runs already", "live"])


def test_bodies_that_stall_keep_nobody_from_being_served():
    with fake_router() as router, Running(router, body_read_timeout=0.3) as server:
        stalled = [server.connect() for _ in range(40)]
        for sock in stalled:
            sock.sendall(b"POST /v1/systemone HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
        assert ask(server)[0] == 200
        answers = [sock.makefile("rb").readline() for sock in stalled]
        for sock in stalled:
            sock.close()
    assert answers == [b"HTTP/1.1 408 Request Timeout\r\n"] * 40


@pytest.mark.parametrize("overload_status", [429, 503, 529])
def test_a_server_that_is_full_says_so_at_once_and_when_to_come_again(tmp_path, overload_status):
    from laya.server import hash_key

    keys = tmp_path / "keys"
    keys.write_text("".join(f"{name} {hash_key(name)}\n" for name in ("ann", "bob", "eve")))
    gate = Gate()
    options = {"api_keys_file": str(keys), "max_queued": 1, "overload_status": overload_status}
    hooks = [Calls("on_predict_start", gate)]
    with fake_router(hooks=hooks) as router, Running(router, **options) as server:
        stats, served = server.service.scheduler.stats, Threads()
        for waiting, name in enumerate(("ann", "bob")):
            served.start(ask, server, {"Authorization": f"Bearer {name}"})
            wait_until(lambda waiting=waiting: (stats().in_flight, stats().queued) == (1, waiting))
        status, headers, refused = ask(server, {"Authorization": "Bearer eve"})
        gate.open()
        assert [status for status, _, _ in served.join()] == [200, 200]
    assert (status, refused["error"]["code"]) == (overload_status, "overloaded")
    assert int(headers["Retry-After"]) >= 1
    assert int(headers["Retry-After-Ms"]) >= 1


def test_a_task_of_the_wrong_type_is_not_called_a_model():
    with client() as api:
        refused = api.post("/v1/systemone", json=body(task=5))
        unknown = api.post("/v1/systemone", json=body(task="nope"))
    assert refused.json()["detail"][0]["loc"] == ["body", "task"]
    assert "expected `str | null`, got `int`" in refused.json()["error"]["message"]
    assert unknown.status_code == 422
    assert "'nope'" in unknown.json()["error"]["message"]


def test_a_list_of_models_tells_the_temperatures_that_are_applied():
    with fake_router() as router, client(router) as api:

        def told():
            models = {model["name"]: model for model in api.get("/v1/models").json()["models"]}
            assert "x_calibration" not in models["multilingual"], "it is not in memory"
            return models["english"]["x_calibration"]

        before = told()
        router.load("english").calibrate({"temperature": [2.0, 1.5, 0.5], "temperature_by_options": {"choice:2": 3.0}})
        after = told()
    assert before["temperature"] == {"choice": 1.0, "score": 1.0, "noul": 1.0}
    assert after["temperature"] == {"choice": 2.0, "score": 1.5, "noul": 0.5}
    assert after["temperature_by_options"] == {"choice:2": 3.0}


def test_the_checkpoint_that_answered_is_named_and_not_a_constant():
    with client() as api:
        found = [api.post("/v1/systemone", json=body(model=name)).json() for name in ("english", "multilingual")]
    assert [result["model"] for result in found] == ["english", "multilingual"]
    assert [result["x_routing"]["model"] for result in found] == ["english", "multilingual"]


def test_a_cold_start_is_told_and_requests_that_come_meanwhile_are_answered():
    import laya
    from laya.testing import fake_agent

    gate = Gate()

    def build(_name, _source):
        gate()
        return fake_agent()

    with laya.Router(build=build, default="english") as router, client(router, ready=False) as api:
        gate.wait()
        cold = api.get("/ready")
        assert (cold.status_code, cold.json()) == (503, {"status": "loading"})
        assert cold.headers["retry-after"] == "1"
        assert api.get("/health").status_code == 200
        early = Threads().start(lambda: api.post("/v1/systemone", json=body(questions={"q": NOUL})).status_code)
        gate.open()
        assert early.join() == [200]
        wait_until(lambda: api.get("/ready").status_code == 200)


def test_a_burst_of_clients_is_answered_without_a_refusal_and_alike():
    with fake_router() as router, Running(router) as server:
        alone = ask(server, state="the same text")[2]["answers"]
        ready, burst = threading.Barrier(40), Threads()
        for i in range(40):
            text = "the same text" if i % 2 else f"another text, number {i}"
            burst.start(lambda text: (ready.wait(ENOUGH), ask(server, state=text))[1], text)
        found = burst.join()
    assert {status for status, _, _ in found} == {200}
    assert all(value["answers"] == alone for _, _, value in found[1::2])
