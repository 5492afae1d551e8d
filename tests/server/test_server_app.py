"""The routes: what they answer, how they refuse, what they tell of themselves."""

import asyncio
import json

import pytest

import laya
from laya.errors import ArgumentError, DeadlineError, ForwardError, QueueFullError
from laya.server.answers import response_of
from server_builders import CHOICE, NOUL, SCORE, Running, body, client, fake_router, wait_until

ALL = {"refund": NOUL, "team": CHOICE, "anger": SCORE}


@pytest.fixture
def api():
    with client() as made:
        yield made


def post(api, path="/v1/systemone", **changes):
    return api.post(path, json=body(**changes))


def error_of(response, status):
    assert response.status_code == status
    found = response.json()
    assert found["error"]["request_id"] == response.headers["x-request-id"]
    assert found["error"]["message"]
    return found


def test_an_answer_has_the_fields_of_the_protocol_and_ours_apart(api):
    answered = post(api, questions=ALL)
    assert answered.status_code == 200
    found = answered.json()
    assert {name for name in found if not name.startswith("x_")} == {"model", "answers", "usage"}
    fields = {name: {key for key in answer if not key.startswith("x_")} for name, answer in found["answers"].items()}
    assert fields == {
        "refund": {"type", "noul"},
        "team": {"type", "choice", "confidence", "probabilities"},
        "anger": {"type", "score", "confidence", "legend", "probabilities"},
    }
    assert found["model"] == "english"
    assert set(found["usage"]) == {"input_tokens", "output_tokens"}
    assert found["x_routing"]["reason_code"] == "english"
    assert "repo" not in found["x_routing"]
    assert found["x_usage"]["state_tokens_dropped"] == 0


def test_the_numbers_are_those_of_the_engine(api):
    with fake_router() as router:
        result = router.predict("I was charged twice", ALL)
    found = post(api, questions=ALL).json()["answers"]
    team = result["answers"]["team"]
    assert found["team"]["probabilities"] == team["probabilities"]
    assert found["team"]["confidence"] == pytest.approx(laya.jev_confidence(team))
    assert found["team"]["x_entropy_confidence"] == team["confidence"]
    assert found["refund"]["noul"] == result["answers"]["refund"]["noul"]
    assert found["anger"]["score"] == result["answers"]["anger"]["score"]


def test_strict_answers_have_the_protocol_alone():
    with client(strict=True) as api:
        assert b'"x_' not in post(api, questions=ALL).content


def test_labels_that_are_no_strings_become_keys():
    question = {"type": "choice", "instructions": "Which?", "criteria": [7, True, "b"]}
    with fake_router() as router:
        answer = response_of(router.predict("x", {3: question})).answers["3"]
    assert set(answer.probabilities) == {"7", "true", "b"}
    assert answer.choice in answer.probabilities


def test_gated_answers_are_marked(api):
    answer = post(api, min_confidence=1.0).json()["answers"]["refund"]
    marks = {"x_abstention": "abstained", "x_abstention_threshold": 1.0, "x_low_confidence": True}
    assert answer.items() >= marks.items()


def test_many_states_come_back_in_their_order(api):
    states = ["one", "two", {"three": 3}]
    found = api.post("/v1/systemone/batch", json={**body(state=None), "states": states}).json()
    alone = [post(api, state=state).json() for state in states]
    assert [result["answers"] for result in found["results"]] == [result["answers"] for result in alone]
    assert found["total_usage"]["input_tokens"] == sum(result["usage"]["input_tokens"] for result in alone)


# -- refusals ----------------------------------------------------------------------------------------------------


def test_a_refused_body_has_the_documented_list_and_one_error(api):
    found = error_of(post(api, questions={"team": {"type": "choice"}}), 422)
    (problem,) = found["detail"]
    assert problem["loc"] == ["body", "questions", "team"]
    assert problem["type"] == found["error"]["code"] == "invalid_question"
    assert found["error"]["path"] == "questions.team"
    assert found["error"]["type"] == "validation_error"


def test_other_errors_have_the_documented_object(api):
    for response, status, kind in (
        (post(api, model="nope"), 400, "api_usage_error"),
        (api.get("/nope"), 404, "not_found_error"),
        (api.get("/v1/systemone"), 405, "invalid_request_error"),
    ):
        found = error_of(response, status)
        assert found["detail"] == {"error_type": kind, "message": found["error"]["message"]}
    assert error_of(post(api, model="nope"), 400)["error"]["path"] == "model"


def test_bad_states_of_a_batch_are_all_named():
    with client(fake_router(max_len=256)) as api:
        value = {**body(state=None), "states": ["a", "x" * 500, "b", "y" * 500], "x_truncation": "error"}
        found = error_of(api.post("/v1/systemone/batch", json=value), 422)
    assert [problem["loc"] for problem in found["detail"]] == [["body", "states", 1], ["body", "states", 3]]
    assert found["error"]["code"] == "truncated"
    assert "request" not in found["detail"][0]["msg"].split(":")[0]


def test_a_document_can_be_cut_refused_or_read_in_windows():
    document = "calm words. " * 40
    with client(fake_router(max_len=256)) as api:
        cut, refused, scanned = (post(api, state=document, x_truncation=how) for how in ("allow", "error", "scan"))
    assert cut.json()["x_usage"]["truncated"]
    assert error_of(refused, 422)["detail"][0]["loc"] == ["body", "state"]
    assert not scanned.json()["x_usage"]["truncated"]
    assert scanned.json()["x_usage"]["windows"] > 1
    assert "x_window" in scanned.json()["answers"]["refund"]


class Raises:
    def __init__(self, error):
        self.error = error

    def on_predict_start(self, ctx):
        raise self.error


@pytest.mark.parametrize("error", [ForwardError("secret path"), RuntimeError("secret path"), KeyError("secret path")])
def test_a_failure_inside_is_logged_and_not_told(error, caplog):
    with client(fake_router(hooks=[Raises(error)])) as api:
        refused = post(api)
    found = error_of(refused, 500)
    assert found["detail"]["error_type"] == "internal_error"
    assert "secret" not in refused.text
    assert "secret path" in caplog.text


@pytest.mark.parametrize(
    ("error", "status", "headers"),
    [
        (QueueFullError("full", retry_after=1.5, client=True), 429, {"retry-after": "2", "retry-after-ms": "1500"}),
        (QueueFullError("full", retry_after=0.2), 529, {"retry-after": "1", "retry-after-ms": "200"}),
        (DeadlineError("late"), 504, {}),
    ],
)
def test_a_busy_server_says_when_to_come_again(api, monkeypatch, error, status, headers):
    async def submit(*_, **__):
        raise error

    monkeypatch.setattr(api.app.state.service.scheduler, "submit", submit)
    refused = post(api)
    assert error_of(refused, status)["error"]["code"] == error.code
    assert {name: refused.headers[name] for name in headers} == headers


def test_the_status_of_overload_can_be_another(monkeypatch):
    async def submit(*_, **__):
        raise QueueFullError("full", retry_after=1)

    with client(overload_status=503) as api:
        monkeypatch.setattr(api.app.state.service.scheduler, "submit", submit)
        assert post(api).status_code == 503


@pytest.mark.parametrize("text", ["soon", "-1", "0", "nan", "inf"])
def test_a_deadline_that_is_no_number_is_refused(api, text):
    refused = api.post("/v1/systemone", json=body(), headers={"x-request-timeout": text})
    assert error_of(refused, 400)["error"]["code"] == "invalid_header"


# -- ids, hosts, origins -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("header", ["X-Request-ID", "x-typesafe-request-id"])
def test_an_id_is_echoed_and_seen_by_hooks(header):
    seen = []

    class Sees:
        def on_predict_start(self, ctx):
            seen.append(ctx.request_id)

    with client(fake_router(hooks=[Sees()])) as api:
        answered = api.post("/v1/systemone", json=body(), headers={header: "r-7"})
    assert answered.headers["x-request-id"] == answered.headers["x-typesafe-request-id"] == "r-7"
    assert seen == ["r-7"]


@pytest.mark.parametrize("sent", ["", "with space", "x" * 200, 'quote"'])
def test_an_id_that_could_break_a_log_is_replaced(api, sent):
    made = api.get("/health", headers={"x-request-id": sent}).headers["x-request-id"]
    assert made != sent
    assert len(made) == 32


@pytest.mark.parametrize(
    ("host", "fine"),
    [("localhost:8000", True), ("127.0.0.1", True), ("[::1]:80", True), ("evil.example", False), ("", False)],
)
def test_on_loopback_only_loopback_names_are_answered(api, host, fine):
    response = api.get("/v1/models", headers={"host": host})
    assert response.status_code == (200 if fine else 403)
    if not fine:
        assert error_of(response, 403)["error"]["code"] == "unknown_host"


def test_hosts_can_be_named():
    with client(allowed_hosts=("laya.example",), ready=False) as api:
        assert api.get("/health", headers={"host": "laya.example"}).status_code == 200
        assert api.get("/health").status_code == 403


def test_pages_of_other_origins_may_call_only_where_that_is_allowed(api):
    headers = {"origin": "https://app.example"}
    assert "access-control-allow-origin" not in api.get("/health", headers=headers).headers
    with client(allowed_origins=("https://app.example",)) as open_api:
        assert open_api.get("/health", headers=headers).headers["access-control-allow-origin"] == "https://app.example"


# -- what the server tells of itself -----------------------------------------------------------------------------


def test_models_have_names_that_requests_take_and_limits(api):
    post(api)
    models = {model["name"]: model for model in api.get("/v1/models").json()["models"]}
    assert list(models) == ["jev-latest", "english", "multilingual"]
    assert models["english"]["x_loaded"]
    assert not models["multilingual"]["x_loaded"]
    assert models["english"]["x_limits"]["max_options"] == 255
    assert "en" in models["english"]["x_aliases"]
    for name, model in models.items():
        assert len(model["release_date"]) == 10
        assert post(api, model=name).status_code == 200


def test_a_folder_of_this_machine_is_not_told(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"")
    router = laya.Router({"own": str(tmp_path)}, build=lambda *_: laya.testing.fake_agent(), default="english")
    with client(router) as api:
        listed = api.get("/v1/models").text
        answered = post(api, model="own")
    assert answered.json()["model"] == "own"
    assert str(tmp_path) not in listed + answered.text


@pytest.mark.parametrize("path", ["/health", "/healthz", "/ready", "/readyz"])
def test_probes_answer_to_head_too(api, path):
    assert api.get(path).status_code == 200
    probed = api.head(path)
    assert (probed.status_code, probed.content) == (200, b"")


def test_health_loads_nothing():
    with client(preload=False) as api:
        assert api.get("/health").json() == {"status": "ok", "phase": "ready", "loaded": [], "checkpoints": {}}


def test_a_server_that_cannot_load_lives_and_is_not_ready(caplog):
    def build(_name, _source):
        raise ArgumentError("no such folder")

    with client(laya.Router(build=build, default="english"), ready=False) as api:
        wait_until(lambda: api.get("/ready").json()["status"] == "failed")
        assert api.get("/ready").status_code == 503
        assert api.get("/health").status_code == 200
    assert "no such folder" in caplog.text


def test_plan_costs_what_the_answer_costs(api):
    planned, answered = post(api, "/v1/plan", questions=ALL).json(), post(api, questions=ALL).json()
    assert planned["usage"] == answered["x_usage"]
    assert planned["fits"]
    assert planned["model"] == "english"
    assert set(planned["questions"]) == set(ALL)
    assert error_of(post(api, "/v1/plan", questions={}), 422)


def test_metrics_count_requests_calls_and_the_queue():
    with client(fake_router(max_len=128)) as api:
        post(api, state="x" * 500)
        post(api, questions={})
        text = api.get("/metrics").text
    for line in (
        'laya_http_requests_total{method="POST",route="/v1/systemone",status="200"} 1.0',
        'laya_http_requests_total{method="POST",route="/v1/systemone",status="422"} 1.0',
        'laya_calls_total{layer="router",model="english",outcome="ok"} 1.0',
        'laya_truncated_states_total{layer="router",model="english"} 1.0',
        'laya_loads_total{model="english"} 1.0',
        "laya_queue_queued 0.0",
        "laya_queue_answered_total 1.0",
    ):
        assert line in text


@pytest.mark.filterwarnings("ignore:laya. hook:RuntimeWarning")  # the failure of the hook is the point
def test_metrics_count_hooks_that_fail():
    hooks = {"hooks": [Raises(ValueError("x"))], "hooks_raise": False}
    router = laya.Router(build=lambda *_: laya.testing.fake_agent(), default="english", **hooks)
    with client(router) as api:
        assert post(api).status_code == 200
        assert 'laya_hook_failures_total{hook="Raises.on_predict_start"} 1.0' in api.get("/metrics").text


def test_the_log_has_facts_and_no_text_of_the_user(caplog):
    private = "my iban is 4411, please tell nobody about it"
    with caplog.at_level("INFO", "laya.access"), client() as api:
        api.post("/v1/systemone", json=body(state=private, questions={private: NOUL}), headers={"x-request-id": "r-1"})
        api.post(f"/{private}", json=body())
        post(api, model=private)
    lines = [json.loads(record.message) for record in caplog.records if record.name == "laya.access"]
    asked = next(line for line in lines if line["request_id"] == "r-1")
    assert (asked["status"], asked["route"], asked["model"], asked["questions"]) == (200, "/v1/systemone", "english", 1)
    assert asked["input_tokens"] > 0
    assert [line["code"] for line in lines[-2:]] == ["not_found", "unknown_model"]
    assert "iban" not in caplog.text


def test_the_log_can_be_off(caplog):
    with caplog.at_level("INFO", "laya.access"), client(access_log=False) as api:
        post(api)
    assert not [record for record in caplog.records if record.name == "laya.access"]


def test_pages_can_be_off():
    with client(docs=False) as api:
        assert [api.get(path).status_code for path in ("/docs", "/openapi.json", "/playground/")] == [404] * 3


def test_the_page_of_documentation_needs_nothing_from_elsewhere(api):
    page = api.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "://" not in page.text


# -- a client that hangs up --------------------------------------------------------------------------------------


def test_a_client_that_hangs_up_is_noticed(caplog):
    request = json.dumps(body()).encode()
    head = f"POST /v1/systemone HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(request)}\r\n\r\n".encode()
    with caplog.at_level("INFO", "laya.access"), fake_router() as router, Running(router) as server:
        release = hold(server.service)
        sock = server.connect()
        sock.sendall(head + request)
        wait_until(lambda: release.waiting)
        sock.close()
        wait_until(lambda: any('"status": 499' in message for message in caplog.messages))
        assert release.cancelled


class Held:
    waiting = cancelled = False


def hold(service):
    """Make the engine room keep every request, and notice that one was given up."""
    held = Held()

    async def submit(*_, **__):
        held.waiting = True
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            held.cancelled = True
            raise

    service.scheduler.submit = submit
    return held
