"""Statistics, equality of answers, and the Markdown report."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

TOLERANCE = 1e-4
FOREIGN_LIMIT = 0.10
"""Share of the CPUs that others may use during a block that counts."""
TARGETS = {"predict": 1.3, "batch": 1.7, "import": 3.0}
LOAD_TARGET = 0.5
"""Seconds allowed for loading the embedded checkpoint."""


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """First quartile, median and third quartile; a single value is all three."""
    if len(values) == 1:
        return (values[0],) * 3
    q1, q2, q3 = statistics.quantiles(values, n=4, method="inclusive")
    return q1, q2, q3


def probabilities(answer: Mapping[str, Any]) -> dict[str, float]:
    """The probabilities that an answer states, by label."""
    if answer["type"] == "noul":
        return {"true": float(answer["noul"])}
    return {str(label): float(p) for label, p in answer["probabilities"].items()}


def pairs(ours: Iterable[Any], theirs: Iterable[Any]) -> Iterator[tuple[dict[str, float], dict[str, float]]]:
    """Probabilities of the same question from two lists of `answers` objects.

    Raises:
        ValueError: the two do not answer the same states, questions or labels.
    """
    for i, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        if list(one) != list(other):
            raise ValueError(f"state {i}: question ids {list(one)} and {list(other)} differ")
        for name in one:
            p, q = probabilities(one[name]), probabilities(other[name])
            if p.keys() != q.keys():
                raise ValueError(f"state {i}, question {name!r}: labels {sorted(p)} and {sorted(q)} differ")
            yield p, q


def largest_difference(ours: Sequence[Any], theirs: Sequence[Any]) -> float:
    """Largest difference of one probability between two lists of `answers` objects, in the same order."""
    return max((abs(p[label] - q[label]) for p, q in pairs(ours, theirs) for label in p), default=0.0)


def spread(values: Sequence[float], unit: str) -> str:
    """Median with quartiles, as "12.3 (11.9-13.0)" in "ms", "s" or "MB"."""
    if not values:
        return "no quiet sample"
    scale = 1000.0 if unit == "ms" else 1.0
    q1, q2, q3 = (
        f"{value * scale:.3g}" if value * scale < 100 else f"{value * scale:.0f}" for value in quartiles(values)
    )
    return q2 if q1 == q3 == q2 else f"{q2} ({q1}-{q3})"


def ratio(slow: Mapping[str, float], fast: Mapping[str, float]) -> str:
    """Median over rounds of slow/fast, each round paired with itself, with the smallest and the largest."""
    ratios = [slow[key] / fast[key] for key in slow if key in fast]
    if not ratios:
        return "-"
    middle = statistics.median(ratios)
    return f"{middle:.2f}x ({min(ratios):.2f}-{max(ratios):.2f})" if len(ratios) > 1 else f"{middle:.2f}x (1 round)"


def verdict(slow: Mapping[str, float], fast: Mapping[str, float], target: float) -> str:
    """Whether the median ratio reaches a target."""
    ratios = [slow[key] / fast[key] for key in slow if key in fast]
    if not ratios:
        return "not measured"
    return f"met (>= {target})" if statistics.median(ratios) >= target else f"MISSED (>= {target})"


def medians(cell: Mapping[str, Any]) -> dict[str, float]:
    """Median of the calls of each accepted round of a cell."""
    return {key: statistics.median(times) for key, times in cell.get("rounds", {}).items()}


def shown(cell: Mapping[str, Any] | None, unit: str) -> str:
    """A cell of a table: its times, or why there are none."""
    if cell is None:
        return "-"
    if cell.get("note"):
        return str(cell["note"])
    calls = [value for times in cell["rounds"].values() for value in times]
    return spread(calls, unit)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines of a Markdown table."""
    lines = [list(head), ["---"] * len(head), *map(list, rows)]
    return ["| " + " | ".join(line) + " |" for line in lines] + [""]


def difference(cell: Mapping[str, Any] | None, *, exact: bool = True) -> str:
    """Largest difference of probabilities from the reference, in bold where an `exact` engine may not differ."""
    value = None if cell is None else cell.get("difference")
    if not isinstance(value, float):
        return str(value or "-")
    return f"**{value:.1e}**" if exact and value > TOLERANCE else f"{value:.1e}"


def predict_lines(cells: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Section on single requests. `cells[scenario][engine]`."""
    rows = []
    for scenario, by in cells.items():
        ours, peer, amp = medians(by["ours"]), medians(by["peer"]), medians(by.get("peer-bf16", {}))
        rows.append([
            scenario, shown(by["ours"], "ms"), shown(by["peer"], "ms"), ratio(peer, ours),
            verdict(peer, ours, TARGETS["predict"]), difference(by["ours"]),
            shown(by.get("peer-bf16"), "ms"), ratio(amp, ours), difference(by.get("peer-bf16"), exact=False),
        ])  # fmt: skip
    head = [
        "`predict`",
        "ours ms",
        "peer ms",
        "peer / ours",
        "target",
        "max dp",
        "peer bf16 ms",
        "peer bf16 / ours",
        "max dp bf16",
    ]
    return table(head, rows)


def best_mode(cells: Mapping[str, Mapping[str, Any]], engine: str) -> str | None:
    """Name of the engine's quickest mode by the median of its rounds."""
    timed = {mode: medians(cell) for mode, cell in cells.items() if mode.startswith(f"{engine}: ")}
    known = {mode: statistics.median(rounds.values()) for mode, rounds in timed.items() if rounds}
    return min(known, key=known.__getitem__) if known else None


def batch_lines(cells: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Section on batches. `cells["engine: mode"]`."""
    ours = medians(cells.get("ours: default", {}))
    rows = []
    for mode, cell in cells.items():
        dp = difference(cell, exact="bf16" not in mode)
        rows.append([mode, shown(cell, "s"), str(len(cell["rounds"])), ratio(medians(cell), ours), dp])
    lines = table(["`predict_batch`", "s", "rounds", "mode / ours: default", "max dp"], rows)
    for engine, what in (("peer", "fp32 mode"), ("peer-bf16", "mode of lower precision")):
        best = best_mode(cells, engine)
        if best and ours:
            times = medians(cells[best])
            goal = verdict(times, ours, TARGETS["batch"])
            lines.append(f"- Against the peer's best {what} (`{best}`): {ratio(times, ours)}, {goal}.")
    return [*lines, ""]


def cold_goal(quantity: str, ours: Mapping[str, float], peer: Mapping[str, float], *, alone: bool) -> str:
    """Verdict on one quantity of a fresh process: imports against the peer, the embedded load alone."""
    if quantity.startswith("import laya"):
        return verdict(peer, ours, TARGETS["import"]) if not alone else "-"
    if quantity == "load" and alone and ours:
        return (
            f"met (< {LOAD_TARGET} s)"
            if statistics.median(ours.values()) < LOAD_TARGET
            else f"MISSED (< {LOAD_TARGET} s)"
        )
    return "-"


def cold_lines(cells: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> list[str]:
    """Section on import, load and memory. `cells[quantity][engine]`."""
    rows = []
    for quantity, by in cells.items():
        unit = "MB" if quantity.startswith("RSS") else "s"
        ours, peer = medians(by["ours"]), medians(by.get("peer", {}))
        goal = cold_goal(quantity, ours, peer, alone="peer" not in by)
        rows.append(
            [f"{quantity}, {unit}", shown(by["ours"], unit), shown(by.get("peer"), unit), ratio(peer, ours), goal]
        )
    return table(["fresh process", "ours", "peer", "peer / ours", "target"], rows)


def section_lines(name: str, section: Mapping[str, Any]) -> list[str]:
    """One section of the report: a part of the benchmark on one checkpoint."""
    part = section["part"]
    body = {"predict": predict_lines, "batch": batch_lines, "cold": cold_lines}[part](section["cells"])
    probes = [probe["gflops"] for probe in section["probes"]]
    facts = [
        f"{section['date']}, {section['rounds']} rounds;",
        f"GEMM probe {min(probes):.0f}-{max(probes):.0f} GFLOP/s;",
        f"blocks thrown away for foreign load: {section['discarded']}.",
    ]
    slow = sum(not probe["quiet"] for probe in section["probes"])
    if slow:
        facts.append(f"**{slow} rounds began on a slowed machine: do not quote.**")
    if section["foreign_limit"] > FOREIGN_LIMIT:
        facts.append(f"**Up to {section['foreign_limit']:.0%} foreign load was let pass: do not quote.**")
    return [
        f"## {name}",
        "",
        " ".join(facts),
        "",
        f"    {section['command']}",
        "",
        *body,
    ]


def render(data: Mapping[str, Any]) -> str:
    """The whole report as Markdown."""
    machine = data["machine"]
    hardware = (
        f"{machine['cpu']}, {machine['cores']} cores ({machine['flags']}), {machine['memory_gib']} GiB, "
        f"{machine['system']}"
    )
    lines = [
        "# Against the peer",
        "",
        f"Machine: {hardware}; {data['threads']} threads for each engine.",
        "",
        *(f"- {name}: {', '.join(f'{k} {v}' for k, v in facts.items())}" for name, facts in data["versions"].items()),
        "",
        "Times are medians over all accepted calls, with the first and third quartile in brackets. Ratios are medians",
        "of the ratios of each round, with the smallest and the largest. `max dp` is the largest difference of one",
        f"probability from the peer's fp32 answers, which are rounded to four digits; fp32 may be {TOLERANCE:.0e} off.",
        "",
    ]
    for name, section in data["sections"].items():
        lines += section_lines(name, section)
    return "\n".join(lines).rstrip() + "\n"
