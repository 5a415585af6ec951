"""Which values can live in one register, one after the other, so that no move between them is
needed.

A variable that a loop carries, or that a branch sets, is a chain of values: what the body starts
with, what the branches compute, what comes out. They get one *home* where each is dead before the
next is written.
"""

from __future__ import annotations

from tsc.compiler.ir import Block, Graph, Node, Value
from tsc.compiler.ir.symbols import prim
from tsc.runtime.execution.threaded.trampoline import Steps, run


class Home:
    """A place that several values have in common: their number, its register and the block it
    belongs to.
    """

    __slots__ = ("block", "members", "register")

    def __init__(self) -> None:
        self.members = 0
        self.register: int | None = None
        self.block: Block | None = None


def share_registers(graph: Graph) -> dict[Value, Home]:
    """The homes of those values that have one."""
    sharing = _Sharing()
    run(sharing.visit(graph.block))
    return sharing.homes


class _Sharing:
    def __init__(self) -> None:
        self.homes: dict[Value, Home] = {}

    def visit(self, block: Block) -> Steps:
        """Backwards and from outside in: the last value of a variable looks for those before it."""
        for node in block.nodes_reversed():
            if node.kind == prim.If:
                yield self._visit_if(node)
            elif node.kind == prim.Loop:
                yield self._visit_loop(node)

    def _visit_if(self, node: Node) -> Steps:
        for output in node.outputs:
            if output not in self.homes:
                yield self._settle(output, Home(), None, node.owning_block)
        for block in node.blocks:
            yield self.visit(block)

    def _visit_loop(self, node: Node) -> Steps:
        body = node.blocks[0]
        for offset, output in enumerate(node.outputs):
            home = self.homes.get(output)
            if home is None:
                home = Home()
                self._move_in(output, home)
            carried = body.inputs[offset + 1]
            self._move_in(carried, home)
            yield self._settle(body.outputs[offset + 1], home, carried, body)
        yield self.visit(body)

    def _move_in(self, value: Value, home: Home) -> None:
        self.homes[value] = home
        home.members += 1

    def _settle(self, value: Value, home: Home, occupant: Value | None, block: Block) -> Steps:
        """Let `value` live in `home` if the value that is there until then is dead when it is made."""
        node = value.node
        if value in self.homes or node.block is not block or not _has_register_of_its_own(value):
            return
        if occupant is not None and not _is_dead_after(occupant, node, block):
            return
        if node.kind == prim.Loop:
            if occupant is None or not _is_needed_in_loop(occupant, node):
                self._move_in(value, home)
            return
        self._move_in(value, home)
        if node.kind == prim.If:
            yield self._settle_branches(value, home, occupant, block)

    def _settle_branches(
        self, value: Value, home: Home, occupant: Value | None, block: Block
    ) -> Steps:
        """The branches of an If compute its output in place, or find it there already."""
        node = value.node
        results = [branch.outputs[value.offset] for branch in node.blocks]
        for result in results:
            if not _has_register_of_its_own(result):
                continue
            if result.node.block is block and result not in self.homes:
                if _is_dead_after(result, node, block):
                    yield self._settle(result, home, occupant, block)
                if self.homes.get(result) is home:
                    occupant = result
                    break
        for result, branch in zip(results, node.blocks):
            yield self._settle(result, home, occupant, branch)


def _has_register_of_its_own(value: Value) -> bool:
    """Not so are constants and what is never read, nor what a loop counts."""
    node = value.node
    if node.kind == prim.Param:
        return node.owning_block.owning_node is None
    return node.kind not in (prim.Constant, prim.Uninitialized)


def _is_dead_after(value: Value, node: Node, block: Block) -> bool:
    """Whether nothing in `block` after `node` uses the value. What `node` itself does with it is
    not asked.
    """
    for use in reversed(value.uses):  # the later ones often come last
        user = _within(use.node, block)
        if user is not None and user is not node and user.is_after(node):
            return False
    return True


def _is_needed_in_loop(value: Value, loop: Node) -> bool:
    """Whether a loop needs the value beyond the moment when it starts."""
    return any(
        (use.node is loop and use.offset < 2)
        or (use.node is not loop and _within(use.node, loop.blocks[0]) is not None)
        for use in value.uses
    )


def _within(node: Node, block: Block) -> Node | None:
    """The node of `block` that contains `node`, or is it; None if it is elsewhere."""
    while node.block is not block:
        owner = None if node.block is None else node.block.owning_node
        if owner is None:
            return None
        node = owner
    return node
