"""Time of one ticket with one and with five questions of five options, on a checkpoint that is already loaded.

    python benchmarks/embedded_latency.py [CHECKPOINT] [--rounds 60] [--threads 2] [--runtime onnxruntime]

The questions are compiled, the tickets differ from round to round and are never cached. The two requests take turns, so
that both see the same machine. The least of all rounds says what the engine can do, the median what it did here; on a
machine that others use, the processor time of all threads says more (with --threads 1, that nothing spins).
"""

import argparse
import statistics
import time

import laya

TICKETS = [
    f"I was charged {n} times for order {4000 + n} last {day}, please send my money back before the weekend, "
    "otherwise I must close my account and tell all my friends about your service."
    for n, day in enumerate(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"), 2)
]
FIVE = {
    "team": {
        "type": "choice",
        "instructions": "Which team must answer this message?",
        "criteria": {
            "billing": "invoices, payments and refunds",
            "technical": "logins, exports and system issues",
            "sales": "prices and new orders",
            "legal": "contracts and complaints",
            "spam": "advertising",
        },
    },
    "mood": {
        "type": "choice",
        "instructions": "What is the mood of the customer?",
        "criteria": ["angry", "disappointed", "neutral", "pleased", "delighted"],
    },
    "urgency": {
        "type": "score",
        "instructions": "How urgent is this ticket?",
        "criteria": ["not at all", "a little", "somewhat urgent", "very urgent", "a matter of hours"],
    },
    "topic": {
        "type": "choice",
        "instructions": "What is the message about?",
        "criteria": ["double charge", "late delivery", "damaged goods", "change of address", "praise"],
    },
    "language": {
        "type": "choice",
        "instructions": "In which language is the message written?",
        "criteria": ["english", "german", "french", "spanish", "japanese"],
    },
}
REQUESTS = {"one question": {"team": FIVE["team"]}, "five questions": FIVE}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", nargs="?", help="folder; the embedded checkpoint by default")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runtime", default="onnxruntime")
    parser.add_argument("--precision", default="fp32")
    given = parser.parse_args()
    options = {"runtime": given.runtime, "threads": given.threads, "precision": given.precision}
    with laya.load(given.checkpoint, device="cpu", **options) as agent:
        tokens = agent.predict(TICKETS[0], FIVE)["usage"]["state_tokens"]
        times = {name: [] for name in REQUESTS}
        for number in range(given.rounds + 3):
            for name, questions in REQUESTS.items():
                start = time.perf_counter(), time.process_time()
                agent.predict(TICKETS[number % len(TICKETS)], questions)
                taken = time.perf_counter() - start[0], time.process_time() - start[1]
                times[name].append([1000 * seconds for seconds in taken])
        print(
            f"{agent.model_id}, {given.runtime} {given.precision}, {given.threads} threads, ticket of {tokens} tokens"
        )
        for name, taken in times.items():
            wall, cpu = zip(*taken[3:], strict=True)  # the first rounds compile and warm up
            print(
                f"{name:<15} median {statistics.median(wall):6.2f} ms   least {min(wall):6.2f} ms   "
                f"processor {statistics.median(cpu):6.2f} ms"
            )


if __name__ == "__main__":
    main()
