"""LoopContinuation and ReturnStmt go: what they jump over is made conditional.

A LoopContinuation targets the body of the innermost loop, a ReturnStmt the block of the graph or of
the closure around it; their inputs become the outputs of that block. On the way there nothing else
runs:

- after a node that always exits, or always raises, the rest of the block is deleted;
- after one that may have exited, an ``If`` on a boolean "has exited" takes the rest of the block
  into its second branch.

Outputs that no path reads after an exit are filled with ``prim::Uninitialized``, one per type.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tsc.compiler.ir.block import Block
from tsc.compiler.ir.graph import Graph, create_uninitialized
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.node_order import enclosing_nodes
from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.value import Value
from tsc.compiler.ir.views import LoopView
from tsc.compiler.ssa.inline_consecutive_ifs import inline_consecutive_ifs
from tsc.compiler.ssa.with_blocks import make_with_blocks, remove_with_blocks
from tsc.compiler.types import BOOL, Type, unify_types
from tsc.compiler.value_classes import value_class


def transform_exits(graph: Graph) -> None:
    """Turns the exits of loop rounds, then those of functions, into block outputs."""
    make_with_blocks(graph)
    _ExitTransform(graph, prim.LoopContinuation).transform_block(graph.block)
    _ExitTransform(graph, prim.ReturnStmt).transform_block(graph.block)
    inline_consecutive_ifs(graph)
    remove_with_blocks(graph)


@value_class
class _Exit:
    """How control leaves a node or a block.

    ``has_exited`` tells at run time whether the target was jumped to, with ``values``. Three values
    it may have are known in advance, by identity: it did, it did not, and "it has raised an
    exception".
    """

    has_exited: Value
    values: tuple[Value, ...] = ()


class _ExitTransform:
    """The transform for one kind of exit."""

    def __init__(self, graph: Graph, exit_kind: str) -> None:
        self._graph = graph
        self._exit_kind = exit_kind
        self._uninitialized: dict[Type | int, Value] = {}
        with graph.insert_at(graph.block.return_node.next):
            self._true = graph.insert_constant(True)
            self._false = graph.insert_constant(False)
        self._wont_exit = _Exit(self._false)
        self._throws = _Exit(self._uninitialized_value(BOOL))
        self._handlers = {
            prim.RaiseException: self._transform_raise,
            prim.If: self._transform_if,
            prim.Loop: self._transform_loop,
            prim.With: self._transform_with,
            prim.Closure: self._transform_closure,
            exit_kind: self._transform_exit,
        }

    # -- Blocks ------------------------------------------------------------------------------

    def transform_block(self, block: Block) -> _Exit:
        """Returns how control leaves ``block`` for targets outside of it."""
        exit = self._wont_exit
        to_guard: list[tuple[Node, _Exit]] = []
        node = block.return_node.next
        while node is not block.return_node:
            following = node.next
            handler = self._handlers.get(node.kind)
            if node.kind == self._exit_kind and not to_guard:
                block.return_node.range = node.range
            if handler is not None:
                exit = handler(node)
            if self._never_goes_on(exit):
                self._delete_from(following)
                break
            if self._may_exit(exit) and following is not block.return_node:
                self._uninitialized_like(block.outputs)
                to_guard.append((node, exit))
                exit = self._wont_exit
            node = following
        for last, exit_before in reversed(to_guard):
            exit = self._guard_after(last, exit_before, exit)
        return self._arrive(block, exit) if self._is_target(block) else exit

    def _is_target(self, block: Block) -> bool:
        owner = block.owning_node
        if self._exit_kind == prim.LoopContinuation:
            return owner is not None and owner.kind == prim.Loop
        return owner is None or owner.kind == prim.Closure

    def _arrive(self, block: Block, exit: _Exit) -> _Exit:
        """At the target: its outputs are the values of the exit, if it was taken."""
        if exit.has_exited is self._true:
            _set_outputs(block, exit.values)
        elif self._may_exit(exit):
            choice = self._create_if(exit.has_exited).insert_before(block.return_node)
            _add_if_outputs(choice, exit.values, block.outputs)
            _set_outputs(block, choice.outputs)
        return self._wont_exit

    def _delete_from(self, first: Node) -> None:
        """Deletes ``first`` and what follows it; what still uses their values is never run."""
        for node in first.owning_block.nodes_reversed() if first.kind != prim.Return else ():
            for output in node.outputs:
                if output.has_uses:
                    output.replace_all_uses_with(self._uninitialized_value(output.type))
            if node.kind == prim.With:
                self._delete_from(node.blocks[0].return_node.next)
            node.destroy()
            if node is first:
                return

    def _guard_after(self, last: Node, exit_before: _Exit, exit: _Exit) -> _Exit:
        """Moves what follows ``last`` into the second branch of an If.

        The first branch goes on with the exit that may have been taken before; ``exit`` is how
        control leaves the second one. Returns how it leaves the If.
        """
        block = last.owning_block
        guard = self._create_if(exit_before.has_exited).insert_after(last)
        while guard.next is not block.return_node:
            guard.next.move_before(guard.blocks[1].return_node)
        _add_if_outputs(guard, self._uninitialized_like(block.outputs), block.outputs)
        _set_outputs(block, guard.outputs)
        if block.owning_node is not None and block.owning_node.kind == prim.With:
            self._hand_out_values(guard)
        return self._join(guard, _Exit(self._true, exit_before.values), exit)

    def _hand_out_values(self, guard: Node) -> None:
        """The body of a with-statement is a scope for now only: what follows may use its values."""
        going_on = guard.blocks[1]
        for value in [value for node in _nodes_in_scope(going_on) for value in node.outputs]:
            outside = [use for use in value.uses if not _is_within(use.node, going_on)]
            if not outside:
                continue
            _add_if_outputs(guard, [self._uninitialized_value(value.type)], [value])
            for use in outside:
                use.node.replace_input(use.offset, guard.outputs[-1])

    # -- Nodes -------------------------------------------------------------------------------

    def _transform_exit(self, node: Node) -> _Exit:
        exit = _Exit(self._true, tuple(node.inputs))
        node.destroy()
        return exit

    def _transform_raise(self, node: Node) -> _Exit:
        del node
        return self._throws

    def _transform_with(self, node: Node) -> _Exit:
        return self.transform_block(node.blocks[0])

    def _transform_closure(self, node: Node) -> _Exit:
        """A closure is only declared here: what happens in it stays in it."""
        self.transform_block(node.blocks[0])
        return self._wont_exit

    def _transform_if(self, node: Node) -> _Exit:
        then_block, else_block = node.blocks
        return self._join(node, self.transform_block(then_block), self.transform_block(else_block))

    def _join(self, node: Node, then_exit: _Exit, else_exit: _Exit) -> _Exit:
        """An exit of one branch, or of both, becomes additional outputs of the If."""
        known = self._known_exit(then_exit, else_exit)
        if known is not None and known.has_exited is not self._true:
            return known
        then_exit, else_exit = self._with_matching_values(then_exit, else_exit)
        has_exited = self._true
        if known is None:
            _add_if_outputs(node, [then_exit.has_exited], [else_exit.has_exited])
            has_exited = node.outputs[-1]
        _add_if_outputs(node, then_exit.values, else_exit.values)
        return _Exit(has_exited, tuple(node.outputs[len(node.outputs) - len(then_exit.values) :]))

    def _transform_loop(self, node: Node) -> _Exit:
        """An exit that passes through a loop ends it, and is carried out of it.

        A body that always raises does not mean that the loop does: it may not run at all.
        """
        loop = LoopView(node)
        exit = self.transform_block(loop.body_block)
        if exit.has_exited is self._false or exit.has_exited is self._throws.has_exited:
            return self._wont_exit
        self._end_loop_on_exit(loop, exit)
        return self._carry_exit(node, exit)

    def _end_loop_on_exit(self, loop: LoopView, exit: _Exit) -> None:
        body = loop.body_block
        condition = body.append_node(self._create_if(exit.has_exited))
        _add_if_outputs(condition, [self._false], [loop.next_condition])
        body.replace_output(0, condition.output)

    def _carry_exit(self, node: Node, exit: _Exit) -> _Exit:
        """Adds the exit to what the loop carries around; before it starts, there was none."""
        outside = [
            self._carry(node, self._false, exit.has_exited),
            *(
                self._carry(node, self._uninitialized_value(value.type), value)
                for value in exit.values
            ),
        ]
        return _Exit(outside[0], tuple(outside[1:]))

    def _carry(self, node: Node, initial: Value, next_value: Value) -> Value:
        body = node.blocks[0]
        node.add_input(initial)
        body.add_input(type=next_value.type)
        body.register_output(next_value)
        return node.add_output(next_value.type)

    # -- What is known of an exit ------------------------------------------------------------

    def _never_goes_on(self, exit: _Exit) -> bool:
        return exit.has_exited is self._true or exit.has_exited is self._throws.has_exited

    def _may_exit(self, exit: _Exit) -> bool:
        """Whether it takes the program to run to know."""
        return exit.has_exited is not self._false and not self._never_goes_on(exit)

    def _known_exit(self, a: _Exit, b: _Exit) -> _Exit | None:
        """The status that two branches share; a branch that raises goes along with the other."""
        if a.has_exited is self._throws.has_exited:
            return None if self._may_exit(b) else b
        if b.has_exited is self._throws.has_exited:
            return None if self._may_exit(a) else a
        return None if self._may_exit(a) or a.has_exited is not b.has_exited else a

    def _with_matching_values(self, a: _Exit, b: _Exit) -> tuple[_Exit, _Exit]:
        """A branch that does not exit has no values: uninitialized ones take their place."""
        if a.has_exited is self._false or a.has_exited is self._throws.has_exited:
            a = _Exit(a.has_exited, self._uninitialized_like(b.values))
        elif b.has_exited is self._false or b.has_exited is self._throws.has_exited:
            b = _Exit(b.has_exited, self._uninitialized_like(a.values))
        return a, b

    # -- New nodes ---------------------------------------------------------------------------

    def _create_if(self, condition: Value) -> Node:
        node = self._graph.create(prim.If, [condition], outputs=0)
        node.add_block()
        node.add_block()
        return node

    def _uninitialized_like(self, values: Sequence[Value]) -> tuple[Value, ...]:
        return tuple(self._uninitialized_value(value.type) for value in values)

    def _uninitialized_value(self, type: Type) -> Value:
        """The one value of ``type`` that stands where nothing reads it.

        Types made of others count by identity, as in PyTorch: whether two values of such a type
        share one shows in the graph.
        """
        key = id(type) if type.contained else type
        known = self._uninitialized.get(key)
        if known is None:
            node = create_uninitialized(self._graph, type).insert_after(self._graph.param_node)
            known = self._uninitialized[key] = node.output
        return known


def _nodes_in_scope(block: Block) -> Iterator[Node]:
    """The nodes of a block, and those of with-statements in it, which are no scopes in the end."""
    for node in block.nodes():
        yield node
        if node.kind == prim.With:
            yield from _nodes_in_scope(node.blocks[0])


def _is_within(node: Node, block: Block) -> bool:
    return any(enclosing.block is block for enclosing in enclosing_nodes(node))


def _set_outputs(block: Block, values: Sequence[Value]) -> None:
    block.remove_all_outputs()
    for value in values:
        block.register_output(value)


def _add_if_outputs(node: Node, then_values: Sequence[Value], else_values: Sequence[Value]) -> None:
    then_block, else_block = node.blocks
    for then_value, else_value in zip(tuple(then_values), tuple(else_values)):
        then_block.register_output(then_value)
        else_block.register_output(else_value)
        type = unify_types(then_value.type, else_value.type, default_to_union=True)
        assert type is not None, "whatever two types are, their union exists"
        node.add_output(type)
