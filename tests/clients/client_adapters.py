"""Foreign clients of the protocol, each behind the same few methods, so that one test can ask them all.

A client has `ask(state, questions)` (the answers as plain numbers, see `plain`), `models()` where the client can list
them, and what it raises for a wrong key (`stranger`) and for a body that is refused (`refused`).
"""

import asyncio
import json
import os
import shutil
import subprocess
from pathlib import Path

import openai
import typesafe_sdk

from server_builders import ENOUGH

NODE = shutil.which("node")
JS_FOLDER = Path(__file__).parent / "js"
JS_SDK = JS_FOLDER / "node_modules" / "@typesafe-ai" / "sdk"


def plain(answers):
    """Answers of the engine or of the wire as plain numbers: of "yes", by label, by level."""
    found = {}
    for name, answer in answers.items():
        kind = answer["type"]
        found[name] = answer["noul"] if kind == "noul" else list(answer["probabilities"].values())
        if kind == "choice":
            found[name] = dict(answer["probabilities"])
    return found


KEY = "key-of-the-clients"
MODELS = {"english", "multilingual"}


class Client:
    """What clients have in common, if they do not say otherwise."""

    asks_again = True
    models = None

    def text(self, error):
        return str(error)

    def close(self):
        pass


class TypeSafeSdk(Client):
    """The official SDK for Python."""

    stranger = typesafe_sdk.TypeSafeAuthenticationError
    refused = typesafe_sdk.TypeSafeUnprocessableEntityError
    compression = False

    def __init__(self, url, key):
        self.client = self.make(api_key=key, base_url=url, compression=self.compression, timeout=ENOUGH)

    def make(self, **options):
        return typesafe_sdk.TypeSafeClient(**options)

    def question(self, definition):
        kinds = {"noul": typesafe_sdk.Noul, "choice": typesafe_sdk.Choice, "score": typesafe_sdk.Score}
        fields = {name: value for name, value in definition.items() if name != "type"}
        return kinds[definition["type"]](**fields)

    def ask(self, state, questions, model=None):
        asked = {name: self.question(definition) for name, definition in questions.items()}
        return self.read(self.client.system_one(state=state, questions=asked, model=model))

    def read(self, answered):
        assert answered.model in MODELS
        assert answered.usage.input_tokens > 0
        for name, answer in answered.scores.items():
            assert list(answer.legend) == list(answer.probabilities), name
        return plain({name: answer.model_dump() for name, answer in answered.answers.items()})

    def models(self):
        return [model.name for model in self.client.models.list().models]

    def close(self):
        self.client.close()


class TypeSafeSdkZstd(TypeSafeSdk):
    """The same with compressed bodies."""

    compression = "zstd"


class TypeSafeSdkAsync(TypeSafeSdk):
    """The same on an event loop, compressed if it likes."""

    def __init__(self, url, key):
        self.given = {"api_key": key, "base_url": url, "timeout": ENOUGH}

    def ask(self, state, questions, model=None):
        asked = {name: self.question(definition) for name, definition in questions.items()}
        return self.read(self.run(lambda client: client.system_one(state=state, questions=asked, model=model)))

    def models(self):
        return [model.name for model in self.run(lambda client: client.models.list()).models]

    def run(self, call):
        async def play():
            async with typesafe_sdk.AsyncTypeSafeClient(**self.given) as client:
                return await call(client)

        return asyncio.run(play())

    def close(self):
        """Every call has closed its own."""


class JevLite(TypeSafeSdk):
    """jev-lite: sync, in the style of the openai package."""

    def __init__(self, url, key):
        import jev_lite

        self.lib = jev_lite
        self.stranger, self.refused = jev_lite.AuthenticationError, jev_lite.UnprocessableEntityError
        self.client = self.connect(url, key)

    def connect(self, url, key):
        return self.lib.TypeSafe(base_url=url, api_key=key)

    def ask(self, state, questions, model=None):
        return self.read(self.client.system_one.create(state=state, questions=questions, model=model))

    def models(self):
        return [model.name for model in self.client.models.list()]


class JevLiteDecisions(JevLite):
    """The same over `/v1/decisions`, in the dialect of openai."""

    models = None

    def connect(self, url, key):
        return self.lib.OpenAIDecisions(base_url=f"{url}/v1", api_key=key, model="auto")


class PyDecide(TypeSafeSdk):
    """pydecide, as a drop-in for the official SDK."""

    models = None

    def make(self, *, api_key, base_url, timeout, compression):
        from decide.compat import TypeSafeClient

        retry = typesafe_sdk.RetryPolicy(backoff_initial=0.1)
        return TypeSafeClient(api_key=api_key, base_url=base_url, retry=retry, timeout=timeout)


class PyDecideDecisions(Client):
    """pydecide over `/v1/decisions`; it does not ask again by itself."""

    asks_again = False

    def __init__(self, url, key):
        import decide
        from decide.backends.openai_decisions import OpenAIDecisionsBackend

        self.lib = decide
        self.stranger = self.refused = decide.AllBackendsFailed
        self.client = decide.Client([OpenAIDecisionsBackend(key, base_url=f"{url}/v1", model="auto", timeout=ENOUGH)])

    def ask(self, state, questions, model=None):
        kinds = {"noul": self.lib.Noul, "choice": self.lib.Choice, "score": self.lib.Score}
        asked = {
            name: kinds[definition["type"]](definition["instructions"], definition.get("criteria"))
            for name, definition in questions.items()
        }
        answered = self.client.decide(state, asked, model=model)
        found = {name: answer.noul for name, answer in answered.nouls.items()}
        return found | {name: answer.probabilities for name, answer in (answered.choices | answered.scores).items()}

    def text(self, error):
        return str(error.errors[0].body)

    def close(self):
        self.client.close()


class SemanticOperators(TypeSafeSdk):
    """semantic-operators, over the official SDK."""

    models = None

    def __init__(self, url, key):
        import semantic_operators
        from semantic_operators.providers.typesafe import TypeSafe

        super().__init__(url, key)
        self.lib = semantic_operators
        self.stranger = self.refused = semantic_operators.ProviderError
        self.provider = TypeSafe(self.client)

    def ask(self, state, questions, model=None):
        self.provider.model = model or "jev-latest"
        answers = self.provider.ask(state, {name: self.question(given) for name, given in questions.items()})
        found = {}
        for name, answer in answers.items():
            assert answer.call.model in MODELS
            kind, p = questions[name]["type"], answer.probabilities
            found[name] = p["true"] if kind == "noul" else p if kind == "choice" else list(p.values())
        return found

    def question(self, definition):
        kinds = {"noul": self.lib.Boolean, "choice": self.lib.Choice, "score": self.lib.Score}
        criteria = [definition["criteria"]] if "criteria" in definition else []
        return kinds[definition["type"]](definition["instructions"], *criteria)


class OpenAi(Client):
    """The openai package over `/v1/decisions`."""

    stranger = openai.AuthenticationError
    refused = openai.UnprocessableEntityError

    def __init__(self, url, key):
        self.client = openai.OpenAI(api_key=key, base_url=f"{url}/v1")

    def ask(self, state, questions, model=None):
        asked = [self.question(name, definition) for name, definition in questions.items()]
        answered = self.client.decisions.create(input=state, model=model or "auto", questions=asked)
        assert answered.usage.total_tokens > 0
        found = {}
        for answer in answered.answers:
            if answer.type == "predicate":
                found[answer.name] = answer.probability
            else:
                entries = {entry.value: entry.probability for entry in answer.probabilities}
                found[answer.name] = entries if answer.type == "choice" else list(entries.values())
        return found

    def question(self, name, definition):
        base = {"name": name, "instructions": definition["instructions"]}
        if definition["type"] == "noul":
            return {"type": "predicate", **base}
        if definition["type"] == "score":
            return {"type": "score", "levels": [{"label": level} for level in definition["criteria"]], **base}
        choices = [{"value": label, "description": text} for label, text in definition["criteria"].items()]
        return {"type": "choice", "choices": choices, **base}

    def close(self):
        self.client.close()


class JavaScriptError(Exception):
    """What the SDK for JavaScript threw."""


class TypeSafeJs(Client):
    """The official SDK for JavaScript, in a process of Node."""

    stranger = refused = JavaScriptError

    def __init__(self, url, key):
        self.given = {"url": url, "key": key, "timeout": ENOUGH * 1000}

    def ask(self, state, questions, model=None):
        answered = self.run(ask={"state": state, "questions": questions, **({"model": model} if model else {})})
        assert answered["model"] in MODELS
        return plain(answered["answers"])

    def models(self):
        return [model["name"] for model in self.run()]

    def run(self, **what):
        told = run_node(JS_FOLDER / "client.mjs", json.dumps(self.given | what))
        found = json.loads(told)
        if "error" in found:
            raise JavaScriptError("{name} {status}: {message}".format(**found["error"]))
        assert len(found["requestId"]) == 32
        return found["data"]


def run_node(script, sent="", folder=None):
    """Run a script of JavaScript, or what it is sent; returns what it prints."""
    assert NODE and JS_SDK.is_dir(), "CI tests the SDK for JavaScript, so it needs node; see `make test-clients`"  # noqa: PT018 - one reason
    ended = subprocess.run(  # noqa: S603 - our own scripts
        [NODE, str(script)], input=sent, cwd=folder, capture_output=True, text=True, timeout=ENOUGH, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def needs_js():
    """Why the SDK for JavaScript cannot run here; empty if it can. CI has to be able to."""
    if (NODE and JS_SDK.is_dir()) or os.environ.get("CI") == "true":
        return ""
    return "no SDK for JavaScript here: needs node; `make test-clients` installs the package"
