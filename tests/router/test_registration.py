"""Which checkpoints a Router knows, where they come from, and how they are built."""

import pickle
from pathlib import Path

import pytest

import laya
from laya.errors import ArgumentError, ArgumentTypeError
from router_builders import CHOICE, Recorder, closed

Q = {"team": CHOICE}
EMBEDDED = Path(laya.__file__).parent / "data" / "english"


# -- registration -------------------------------------------------------------------------------------------------


def test_register_adds_describes_and_resolves(make):
    router = make()
    assert (
        router.register(" Papers.V2 ", ("org/repo", "papers"), "for papers", languages=["de", "pt-BR"]) == "papers.v2"
    )
    assert router.registered["papers.v2"] == {
        "source": "org/repo/papers",
        "description": "for papers",
        "languages": ["de", "pt"],
    }
    assert router.models["papers.v2"] == "org/repo/papers"
    assert router.load("PAPERS.v2") is router.load("papers.v2")


@pytest.mark.parametrize("name", ["auto", "", " ", "a/b", "-a", "ä", "a b"])
def test_register_refuses_names_that_cannot_be_written_everywhere(make, name):
    router = make()
    before = router.models
    with pytest.raises(ArgumentError, match="invalid checkpoint name"):
        router.register(name, "somewhere")
    assert router.models == before


@pytest.mark.parametrize("name", [None, 5, b"a"])
def test_register_refuses_names_that_are_no_strings(make, name):
    with pytest.raises(ArgumentTypeError, match="a checkpoint name must be a string"):
        make().register(name, "somewhere")


@pytest.mark.parametrize("source", [5, ("a",), ("a", "b", "c"), (1, "b"), ("a", 2), {"repo": "a"}])
def test_register_refuses_sources_it_cannot_read(make, source):
    with pytest.raises(ArgumentTypeError, match="a checkpoint source must be"):
        make().register("papers", source)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"description": 5}, ArgumentTypeError),
        ({"languages": "de"}, ArgumentTypeError),
        ({"languages": ["klingonish"]}, ArgumentError),
        ({"languages": ["und"]}, ArgumentError),
        ({"languages": [5]}, ArgumentTypeError),
    ],
)
def test_a_refused_registration_changes_nothing(make, options, error):
    router = make()
    before = (router.models, router.registered)
    with pytest.raises(error):
        router.register("papers", "somewhere", **options)
    assert (router.models, router.registered) == before


@pytest.mark.parametrize("name", ["englis", "englsih", "englishs", "multilingval"])
def test_a_name_one_slip_from_a_built_in_one_warns(make, name):
    with pytest.warns(RuntimeWarning, match=f"{name!r}, one letter away from the built-in"):
        make().register(name, "somewhere")


@pytest.mark.parametrize("name", ["english", "en", "angliiish", "my-english"])
def test_other_names_do_not_warn(make, name):
    make().register(name, "somewhere")


def test_another_source_unloads_what_is_in_memory_and_the_same_source_does_not(make):
    log = []
    router = make(hooks=[Recorder("A", log)])
    agent = router.load("a")
    router.register("a", "path-a", "the same")
    assert router.load("a") is agent
    router.register("a", "elsewhere")
    assert router.loaded == []
    assert log == [("A", "on_load", "a"), ("A", "on_evict", "a")]
    assert closed(agent)


def test_an_alias_registers_the_built_in_checkpoint_it_stands_for(make):
    router = make()
    assert router.register("ml", "somewhere") == "multilingual"
    assert router.models["multilingual"] == "somewhere"
    assert sorted(router.registered) == ["a", "b", "c"]


def test_unregister_forgets_and_unloads(make):
    router = make()
    agent = router.load("a")
    router.unregister("a")
    assert closed(agent)
    assert "a" not in router.models
    with pytest.raises(ArgumentError, match="unknown model 'a'"):
        router.load("a")


def test_what_is_built_in_the_default_or_unknown_cannot_be_unregistered(make):
    router = make(default="a")
    with pytest.raises(ArgumentError, match="'english' is built in"):
        router.unregister("en")
    with pytest.raises(ArgumentError, match="'a' is the default checkpoint"):
        router.unregister("a")
    with pytest.raises(ArgumentError, match="unknown model 'nope'"):
        router.unregister("nope")
    router.default = "b"
    router.unregister("a")
    assert "a" not in router.models


def test_a_checkpoint_that_was_unregistered_on_the_way_to_its_build_is_unknown(make, factory):
    router = make()
    factory.before["b"] = lambda: router.unregister("a")
    with pytest.raises(ArgumentError, match="unknown model 'a'"):
        router.predict_batch([{"state": "x", "questions": Q, "model": name} for name in "ba"])


def test_the_default_can_change_and_must_be_known(make):
    router = make()
    assert router.default == "multilingual"
    router.default = " EN "
    assert router.default == "english"
    assert router.route("12345").model == "english"
    with pytest.raises(ArgumentError, match="unknown model 'nope'"):
        router.default = "nope"
    assert router.default == "english"


# -- sources ------------------------------------------------------------------------------------------------------


def test_the_embedded_router_answers_offline_in_english_and_in_other_languages():
    with laya.Router() as router:
        english = router.predict("I was charged twice, please help.", Q)
        assert (english["routing"]["model"], english["model"]) == ("english", "embedded/english")
        german = router.predict("Ich habe zweimal bezahlt, bitte helfen Sie mir.", Q)
        assert (german["routing"]["model"], german["model"]) == ("multilingual", "embedded/multilingual")
        assert router.loaded == ["english", "multilingual"]


def test_the_embedded_router_says_how_to_get_the_checkpoint_it_does_not_have():
    with laya.Router() as router, pytest.raises(ArgumentError) as caught:
        router.predict("x", Q, model="typed")
    for part in ["'typed-decisions'", "Router(models='hub')", "register(", "attach("]:
        assert part in str(caught.value)


def test_the_hub_catalogue_names_the_published_checkpoints():
    with laya.Router("hub") as router:
        assert router.models == {
            "english": "convaiinnovations/laya",
            "multilingual": "convaiinnovations/laya/multilingual",
            "typed-decisions": "convaiinnovations/laya/typed-decisions",
        }
    with laya.Router(standalone_repos=True) as router:
        assert router.models["typed-decisions"] == "convaiinnovations/laya-typed-decisions"


@pytest.mark.parametrize("models", ["published", 5, ["english"]])
def test_models_is_a_catalogue_or_a_dict(models):
    with pytest.raises(ArgumentError, match="models must be 'embedded', 'hub' or a dict"):
        laya.Router(models)


@pytest.mark.parametrize("option", ["revisions", "sha256_digests"])
def test_options_by_name_take_aliases_and_refuse_unknown_names(option):
    with pytest.raises(ArgumentError, match="unknown model 'nope'"):
        laya.Router(**{option: {"nope": None}})
    laya.Router(**{option: {"EN": None}}).close()


def test_digests_by_alias_are_checked_when_the_checkpoint_is_read():
    wrong = {"model.safetensors": "0" * 64}
    with (
        laya.Router({"english": EMBEDDED}, sha256_digests={"en": wrong}) as router,
        pytest.raises(laya.errors.DigestError, match=r"model\.safetensors"),
    ):
        router.load("english")


@pytest.mark.parametrize("name", ["device", "token", "hooks", "hooks_raise", "revision", "on_predict_end"])
def test_agent_kwargs_must_not_set_what_the_router_decides(name):
    with pytest.raises(ArgumentError, match=f"agent_kwargs must not set '{name}'"):
        laya.Router(agent_kwargs={name: None})


def test_agent_kwargs_are_those_of_an_agent_and_reach_it():
    with pytest.raises(ArgumentError, match="agent_kwargs has 'thread', which Agent does not take"):
        laya.Router(agent_kwargs={"thread": 1})
    with laya.Router(agent_kwargs={"threads": 1, "precision": "fp32"}) as router:
        assert router.load("english").precision == "fp32"


def always_english(state):
    return "en"


def test_a_router_travels_as_it_was_made():
    router = laya.Router(default="english", lang_guess=always_english, max_loaded=1, hooks_timeout=20)
    twin = pickle.loads(pickle.dumps(router))
    assert (twin.default, twin.max_loaded, twin.hooks_timeout) == ("english", 1, 20)
    assert twin.route("12345").reason_code == "router_lang_guess"
    assert twin.loaded == []
