"""Ints that a condition compared with a constant are that constant, where the condition is known to hold.

That is in a branch of an If, and behind one whose other branch raises. As in PyTorch, loops are left as they are.
"""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir import Block, Graph, IfView, Node, Value, constant_value, prim
from tsc.compiler.types import BOOL, INT

Refinements = dict[Value, int]
"""What ints are known to be."""

_COMPARISONS: Final = {"aten::eq": True, "aten::ne": False}
_NOTHING: Final[dict[bool, Refinements]] = {True: {}, False: {}}


def refine_integer_values(graph: Graph) -> bool:
    """Returns whether a constant took the place of an int."""
    refining = _Refining()
    refining.visit_block(graph.block, {})
    return refining.changed


class _Refining:
    """``_implied`` tells of a bool what ints are known to be if it is True, and if it is False."""

    def __init__(self) -> None:
        self.changed = False
        self._implied: dict[Value, dict[bool, Refinements]] = {}

    def visit_block(self, block: Block, known: Refinements) -> bool:
        """Adds to ``known`` what holds at the end of the block; returns whether that is never reached."""
        raises = False
        for node in block.nodes():
            self._replace_inputs(node, known)
            if node.kind == prim.If:
                raises |= self._visit_if(node, known)
            elif node.kind == prim.RaiseException:
                raises = True
            else:
                self._note_comparison(node)
        self._replace_inputs(block.return_node, known)
        return raises

    def _replace_inputs(self, node: Node, known: Refinements) -> None:
        made: dict[Value, Value] = {}
        for offset, value in enumerate(node.inputs):
            if value not in known:
                continue
            if value not in made:
                with node.graph.insert_at(node):
                    made[value] = node.graph.insert_constant(known[value])
            node.replace_input(offset, made[value])
            self.changed = True

    def _note_comparison(self, node: Node) -> None:
        if node.kind == "aten::__not__" and node.inputs[0] in self._implied:
            implied = self._implied[node.inputs[0]]
            self._implied[node.output] = {True: implied[False], False: implied[True]}
        if node.kind not in _COMPARISONS or any(value.type != INT for value in node.inputs):
            return
        left, right = node.inputs
        for value, other in ((left, right), (right, left)):
            constant = constant_value(other)
            if isinstance(constant, int) and value.node.kind != prim.Constant:
                equal = _COMPARISONS[node.kind]
                self._implied[node.output] = {equal: {value: constant}, not equal: {}}

    def _visit_if(self, node: Node, known: Refinements) -> bool:
        implied = self._implied.get(node.inputs[0], _NOTHING)
        ends: list[Refinements | None] = []
        for truth, block in zip((True, False), node.blocks, strict=True):
            inside = {**known, **implied[truth]}
            ends.append(None if self.visit_block(block, inside) else inside)
        self._note_outputs(node, ends)
        reached = [end for end in ends if end is not None]
        if reached:
            known.update(_common(reached))
        return not reached

    def _note_outputs(self, node: Node, ends: list[Refinements | None]) -> None:
        """A bool that one branch alone can make True, for one, tells that the branch was taken."""
        branches = IfView(node)
        for output, *values in zip(node.outputs, branches.then_outputs, branches.else_outputs):
            if output.type != BOOL:
                continue
            self._implied[output] = {
                truth: self._if_it_is(truth, values, ends) for truth in (True, False)
            }

    def _if_it_is(
        self, truth: bool, values: list[Value], ends: list[Refinements | None]
    ) -> Refinements:
        possible = [
            {**end, **self._implied.get(value, _NOTHING)[truth]}
            for value, end in zip(values, ends)
            if end is not None and constant_value(value) is not (not truth)
        ]
        return _common(possible) if possible else {}


def _common(several: list[Refinements]) -> Refinements:
    first, *others = several
    return {
        value: number
        for value, number in first.items()
        if all(each.get(value) == number for each in others)
    }
