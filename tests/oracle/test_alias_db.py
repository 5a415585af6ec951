"""AliasDb against PyTorch's, live: it is never less careful, and hardly ever more."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

import tsc

from .apart import apart
from .graph_values import ours, theirs, values_of
from .pass_records import normalized
from .programs import Program, topics

torch = pytest.importorskip("torch")
pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

PAIRS = 60
MOVES = 12
EQUAL_SHARE_WANTED = 0.98


def graphs(program: Program) -> Iterator[tuple[Any, Any]]:
    """Graphs of a program that are the same in both: PyTorch's, and ours."""
    from .pytorch import imported

    try:
        unit = tsc.CompilationUnit(program.source, filename=f"{program.key}.py")
    except tsc.Error:
        return
    with imported(program, whole=False) as module:
        for name in program.functions:
            try:
                graph = torch.jit.script(getattr(module, name)).graph.copy()
                graph.alias_db()
            except Exception:  # noqa: BLE001  an extension of ours
                continue
            mine = getattr(unit, name, None)
            if mine is not None and normalized(mine.graph) == normalized(graph):
                yield graph, mine.graph.copy()


def compare_topic(topic: str) -> Counter[str]:
    """How many questions there were, how many answers differed, and how many of ours were less careful."""
    chosen = random.Random(0)
    counts: Counter[str] = Counter()
    for program in topics()[topic]:
        for their_graph, our_graph in graphs(program):
            compare_values(their_graph, our_graph, chosen, counts)
            for _ in range(MOVES):
                compare_move(their_graph, our_graph, chosen, counts)
    return counts


def compare_values(
    their_graph: Any, our_graph: Any, chosen: random.Random, counts: Counter[str]
) -> None:
    them, us = their_graph.alias_db(), our_graph.alias_db()
    their_values = values_of(theirs, their_graph.block(), [])
    our_values = values_of(ours, our_graph.block, [])
    assert len(their_values) == len(our_values)
    pairs = list(zip(their_values, our_values, strict=True))
    for a, mine in pairs:
        with suppress(IndexError):  # of a value that PyTorch has not looked at
            written = them.has_writers(a)
            counts["writers"] += 1
            counts["writers differ"] += written != us.has_writers(mine)
            # of a list that an operator gives, PyTorch's answer is at times that of its elements
            counts["writers unsound"] += written and not us.has_writers_within(mine)
    for _ in range(PAIRS):
        (a, mine), (b, other) = chosen.choice(pairs), chosen.choice(pairs)
        with suppress(IndexError):
            note(counts, "aliases", them.may_contain_alias(a, b), us.may_contain_alias(mine, other))


def note(counts: Counter[str], what: str, theirs: bool, ours: bool) -> None:
    counts[what] += 1
    counts[f"{what} differ"] += theirs != ours
    counts[f"{what} unsound"] += theirs and not ours


def compare_move(
    their_graph: Any, our_graph: Any, chosen: random.Random, counts: Counter[str]
) -> None:
    them, us = their_graph.copy(), our_graph.copy()
    their_nodes, our_nodes = list(them.nodes()), list(us.nodes())
    if not our_nodes:
        return
    a, b = chosen.randrange(len(our_nodes)), chosen.randrange(len(our_nodes))
    name = chosen.choice(("move_before_topologically_valid", "move_after_topologically_valid"))
    try:
        moved = getattr(them.alias_db(), name)(their_nodes[a], their_nodes[b])
    except IndexError:  # there are values that PyTorch has not looked at
        return
    did = getattr(us.alias_db(), name)(our_nodes[a], our_nodes[b])
    us.lint()
    counts["moves"] += 1
    counts["moves differ"] += normalized(them) != normalized(us)
    counts["moves unsound"] += did and not moved


def test_answers_and_moves() -> None:
    counts: Counter[str] = Counter()
    for topic in topics():
        counts += apart(compare_topic, topic)
    for what in ("writers", "aliases", "moves"):
        assert counts[what] > 1000
        assert counts[f"{what} unsound"] == 0
        assert 1 - counts[f"{what} differ"] / counts[what] >= EQUAL_SHARE_WANTED, counts
