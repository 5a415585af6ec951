"""Expensive calls that do not depend on each other run at the same time: all but the first are forked.

A call is forked before the one that it does not depend on, and waited for where it stood: so what a program prints,
and which error it raises, stays the same. Only what neither writes, prints nor draws random numbers is forked, and
only past what does not write to anything that it reads. Expensive are products, convolutions, decompositions and
sorts, and functions with one in them; where the sizes are known, what takes less than `shortest` seconds is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.analysis.alias_tracker import NOWHERE, Locations
from tsc.compiler.analysis.determinism import is_nondeterministic
from tsc.compiler.analysis.effects import has_side_effects
from tsc.compiler.ir import CALLS, Block, Function, Graph, Node, callee_of, prim
from tsc.compiler.passes.operator_calls import find_operator
from tsc.compiler.passes.subgraphs import copy_into_group, create_group
from tsc.compiler.schema import OperatorTable
from tsc.compiler.types import FutureType

SecondsOf = Callable[[Node], float | None]
"""How long a node takes; None for one that may take long, of which it is not known."""
_TASKS: Final = frozenset({prim.fork, prim.awaitable, "aten::wait", prim.awaitable_wait})


def fork_independent_calls(
    graph: Graph, *, operators: OperatorTable, seconds_of: SecondsOf, shortest: float = 1e-4
) -> bool:
    """Returns whether a call was forked."""
    aliases, calls = AliasDb(graph), _Calls(seconds_of, shortest)
    changed = False
    pending = [graph.block]
    while pending:
        block = pending.pop()
        changed |= _Forking(block, aliases, calls, operators).run()
        pending += [inner for node in block.nodes() for inner in node.blocks]
    return changed


class _Calls:
    """What is known of nodes and of the functions that they call."""

    def __init__(self, seconds_of: SecondsOf, shortest: float) -> None:
        self._seconds_of, self._shortest = seconds_of, shortest
        self._pure: dict[Function, bool] = {}
        self._expensive: dict[Function, bool] = {}

    def is_worth_a_task(self, node: Node, aliases: AliasDb) -> bool:
        return (
            len(node.outputs) == 1
            and not node.blocks
            and (node.kind in CALLS or not aliases.written_locations(node))
            and self.is_expensive(node)
            and self.is_pure(node, aliases)
        )

    def is_expensive(self, node: Node) -> bool:
        if node.kind not in CALLS:
            seconds = self._seconds_of(node)
            return seconds is None or seconds >= self._shortest
        callee = callee_of(node)
        if callee is None:
            return False
        if callee not in self._expensive:
            self._expensive[callee] = False  # while it is looked at: a recursive call adds nothing
            self._expensive[callee] = any(map(self.is_expensive, callee.graph.all_nodes()))
        return self._expensive[callee]

    def is_pure(self, node: Node, aliases: AliasDb) -> bool:
        """Whether nobody sees that a node runs; it may raise."""
        if node.kind in CALLS:
            callee = callee_of(node)
            return callee is not None and self._is_pure_function(callee)
        if node.kind in _TASKS or is_nondeterministic(node):
            return False
        if has_side_effects(node) and node.kind != prim.RaiseException:
            return False
        return not aliases.are_wildcards(aliases.written_locations(node))

    def _is_pure_function(self, function: Function) -> bool:
        if function not in self._pure:
            self._pure[function] = False  # while it is looked at
            aliases = AliasDb(function.graph)
            nodes = function.graph.all_nodes()
            self._pure[function] = all(self.is_pure(node, aliases) for node in nodes)
        return self._pure[function]


class _Forking:
    """Goes through one block. What follows is about the nodes from the call on before which others are forked."""

    def __init__(
        self, block: Block, aliases: AliasDb, calls: _Calls, operators: OperatorTable
    ) -> None:
        self._block, self._aliases, self._calls, self._operators = block, aliases, calls, operators
        self._first: Node | None = None
        self._passed: set[Node] = set()
        self._written: Locations = NOWHERE

    def run(self) -> bool:
        changed = False
        for node in list(self._block.nodes()):
            if not self._calls.is_worth_a_task(node, self._aliases):
                self._pass(node)
            elif self._first is not None and self._may_begin_before(node):
                self._passed.add(self._fork(node, self._first))
                changed = True
            else:
                self._begin_with(node)
        return changed

    def _begin_with(self, node: Node) -> None:
        self._first, self._passed, self._written = node, {node}, NOWHERE

    def _pass(self, node: Node) -> None:
        """Nothing is forked past effects."""
        inside = (node, *(inner for block in node.blocks for inner in block.all_nodes()))
        for each in inside:
            if each.kind in CALLS and self._calls.is_pure(each, self._aliases):
                continue
            if has_side_effects(each) or each.kind in _TASKS:
                self._first = None
                return
            self._written |= self._aliases.written_locations(each)
        if node.kind != prim.Constant:
            self._passed.add(node)

    def _may_begin_before(self, node: Node) -> bool:
        if any(value.node in self._passed for value in node.inputs):
            return False
        reads = NOWHERE.union(*map(self._aliases.reachable_locations, node.inputs))
        return self._written.isdisjoint(reads)

    def _fork(self, node: Node, first: Node) -> Node:
        """Returns the node that waits in the place of the call."""
        graph = node.graph
        fork = create_group(graph, prim.fork).insert_before(first)
        fork.range, fork.call_stack = node.range, node.call_stack
        copy_into_group(node, fork)
        future = fork.add_output().set_type(FutureType(node.output.type))
        wait = graph.create(find_operator(self._operators, "aten::wait"), [future])
        wait.range, wait.call_stack = node.range, node.call_stack
        wait.insert_before(node).output.copy_metadata(node.output)
        node.output.replace_all_uses_with(wait.output)
        node.destroy()
        return wait
