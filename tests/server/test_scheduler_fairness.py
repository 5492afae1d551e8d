"""The fair queue against a plain model of its rules, and its bound on what one client can be ahead."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzing import examples
from laya.server.fairness import FairQueue
from laya.server.work import Pace, Ticket, Work, estimate, text_length


def ticket(client, number=1):
    return Ticket(client, None, [None] * number, number)


def work(mine, index=0, cost=10):
    return Work(mine, index, {}, None, cost, cost)


class Model:
    """What is waiting, in lists; the client that was served least goes next, the earlier one among equals."""

    def __init__(self):
        self.waiting, self.served, self.listed, self.order, self.clock = {}, {}, {}, 0, 0

    def _list(self, client):
        self.order += 1
        self.listed[client] = self.order

    def put(self, item):
        client = item.ticket.client
        if client not in self.served:
            self.served[client], self.waiting[client] = self.clock, []
            self._list(client)
        same = [place for place, other in enumerate(self.waiting[client]) if other.ticket is item.ticket]
        place = same[-1] + 1 if same else len(self.waiting[client])
        self.waiting[client].insert(place, item)

    def pop(self):
        while self.served:
            client = min(self.served, key=lambda name: (self.served[name], self.listed[name]))
            self.clock = self.served[client]
            if self.waiting[client]:
                item = self.waiting[client].pop(0)
                self.served[client] += item.cost
                self._list(client)
                return item
            del self.served[client], self.waiting[client]
        self.clock = 0
        return None

    def drop(self, gone):
        items = self.waiting.get(gone.client, [])
        before, items[:] = len(items), [item for item in items if item.ticket is not gone]
        return before - len(items)

    def __len__(self):
        return sum(map(len, self.waiting.values()))


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.sampled_from("abc"), st.lists(st.integers(1, 50), min_size=1, max_size=4)),
        st.tuples(st.just("pop"), st.integers(1, 6)),
        st.tuples(st.just("drop"), st.integers(0, 30)),
    ),
    max_size=40,
)


@settings(max_examples=examples(150))
@given(STEPS)
def test_the_queue_does_what_its_rules_say(steps):
    queue, model, tickets = FairQueue(), Model(), []
    for step in steps:
        if step[0] == "put":
            mine = ticket(step[1], len(step[2]))
            tickets.append(mine)
            for index, cost in enumerate(step[2]):
                item = work(mine, index, cost)
                queue.put(item)
                model.put(item)
        elif step[0] == "pop":
            for _ in range(step[1]):
                peeked = queue.peek()
                assert queue.pop() is peeked is model.pop()
        elif tickets:
            gone = tickets[step[1] % len(tickets)]
            assert queue.drop(gone) == model.drop(gone)
        assert len(queue) == len(model)
    rest = list(iter(queue.pop, None))
    assert rest == list(iter(model.pop, None))
    assert len(queue) == 0


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers(1, 100)), min_size=8, max_size=60))
def test_clients_that_all_wait_are_never_further_apart_than_one_request(arrivals):
    queue, left, served = FairQueue(), Counter(), Counter()
    for client, cost in arrivals:
        queue.put(work(ticket(client), cost=cost))
        left[client] += 1
    largest = max(cost for _, cost in arrivals)
    while all(left.values()):
        item = queue.pop()
        served[item.ticket.client] += item.cost
        left[item.ticket.client] -= 1
        assert max(served[client] for client in left) - min(served[client] for client in left) <= largest


def test_who_was_away_has_saved_up_nothing():
    queue = FairQueue()
    for _ in range(20):
        queue.put(work(ticket("busy")))
    for _ in range(10):
        queue.pop()
    late = ticket("late", 5)
    for index in range(5):
        queue.put(work(late, index))
    turns = [queue.pop().ticket.client for _ in range(10)]
    assert Counter(turns) == {"busy": 5, "late": 5}


def test_a_client_of_many_calls_is_not_kept_after_them():
    queue = FairQueue()
    for number in range(1000):
        queue.put(work(ticket(str(number))))
        queue.pop()
    assert queue.peek() is None
    assert not queue._clients
    assert not queue._heap


# -- estimates ------------------------------------------------------------------------------------------------------

NOUL = {"type": "noul", "instructions": "Is it so?"}


def test_an_estimate_grows_with_text_and_questions_and_is_capped_by_the_budget():
    short, size = estimate({"state": "x" * 400, "questions": {"q": NOUL}})
    assert size == size_of("x" * 400, {"q": NOUL})
    assert 100 <= short <= 130
    assert estimate({"state": "x" * 4000, "questions": {"q": NOUL}})[0] > 5 * short
    assert estimate({"state": "x" * 400, "questions": {"q": NOUL, "r": NOUL}})[0] > 1.9 * short
    capped = estimate({"state": "x" * 4000, "questions": {"q": NOUL}, "max_len": 100})
    assert capped[0] < 1.2 * short
    assert capped[1] > 4000


def size_of(state, questions):
    return text_length(state) + text_length(questions)


@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_any_json_has_a_length_of_at_least_its_texts(value):
    def texts(item):
        if isinstance(item, dict):
            return sum(len(key) + texts(inner) for key, inner in item.items())
        return sum(map(texts, item)) if isinstance(item, list) else len(item) if isinstance(item, str) else 0

    assert text_length(value) >= texts(value)


def test_a_malformed_request_has_an_estimate_too():
    assert estimate({})[0] > 0
    assert estimate({"state": 5, "questions": ["q"], "max_len": "7"})[0] > 0


def test_the_pace_is_what_recent_batches_took():
    pace = Pace()
    assert pace.seconds_for(1000) == 0
    assert pace.tokens_in(0.1, most=500) == 500
    pace.learn(100, 1.0)
    assert pace.seconds_for(50) == 0.5
    assert pace.tokens_in(2.0, most=500) == 200
    assert pace.tokens_in(20.0, most=500) == 500
    for _ in range(100):
        pace.learn(100, 0.1)
    assert 0.04 < pace.seconds_for(50) < 0.06
