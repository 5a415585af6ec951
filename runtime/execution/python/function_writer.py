"""From a graph to the definition of a Python function: blocks become ``if``, ``for`` and ``while``, values local
variables.

What holds memory is deleted after its last use. Expressions stand in the place of their use where the order of the
program allows it.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from tsc.compiler.analysis.liveness import analyze_liveness
from tsc.compiler.ir import CALLS, Block, Function, Graph, Node, Value, arguments_of, callee_of
from tsc.compiler.ir.symbols import aten, prim
from tsc.runtime.execution.fast_kernels import fast_kernel
from tsc.runtime.execution.python import syntax
from tsc.runtime.execution.python.bailouts import write_bailout
from tsc.runtime.execution.python.block_end import End
from tsc.runtime.execution.python.branches import write_if
from tsc.runtime.execution.python.calls import CONTEXTS, call_of, whole_body
from tsc.runtime.execution.python.expressions import METER, Expressions, Kernels
from tsc.runtime.execution.python.lifetimes import Lifetimes
from tsc.runtime.execution.python.loops import write_loop
from tsc.runtime.execution.python.places import Places, global_variables
from tsc.runtime.execution.python.ranges import is_python_range
from tsc.runtime.execution.python.syntax import Place
from tsc.runtime.execution.python.variables import Variables, safe_name
from tsc.runtime.execution.python.waiting import DEEPEST, Stack, Waiting, depth_of
from tsc.runtime.execution.python.weight import is_heavy

FunctionOf = Callable[[Function, int], Any]
"""Gives the Python function of one that is called with so many arguments."""

_FIXED: Final = frozenset({prim.Constant, prim.Uninitialized})
_NOT_RUN: Final = _FIXED | {prim.BailoutTemplate}


class Written(NamedTuple):
    """A definition, the global variables that it needs, and where its nodes stand."""

    definition: ast.FunctionDef
    variables: dict[str, Any]
    places: Places


def write_function(
    graph: Graph,
    function: Function,
    function_of: FunctionOf,
    kernels: Kernels = fast_kernel,
    *,
    metered: bool,
) -> Written:
    """The Python function of a graph, whose nodes run `kernels`.

    Raises:
        CompileError: nodes that nothing here can run.
    """
    return Writer(graph, function, function_of, kernels, metered=metered).write()


class Writer:
    """Appends statements to `body`, which is that of the block at hand."""

    def __init__(
        self,
        graph: Graph,
        function: Function,
        function_of: FunctionOf,
        kernels: Kernels,
        *,
        metered: bool,
    ) -> None:
        self.metered = metered
        self.function_of = function_of
        self.lifetimes = Lifetimes(graph)
        self.places = Places(function, graph)
        self.globals = global_variables(self.places)
        self.expressions = Expressions(graph, self.places, self.globals, kernels, metered)
        self.variables = Variables(self.lifetimes)
        self.liveness = analyze_liveness(graph)
        self.body: list[ast.stmt] = []
        self.enters_contexts = False
        self.computed_by_loop: set[Node] = set()
        self.graph = graph
        self.stack = Stack()

    def write(self) -> Written:
        graph, head = self.graph, self.places.head
        parameters = self.variables.place_together(graph.inputs, 0)
        end = self.block(graph.block)
        result = self._result(end)
        if self.metered:
            parameters = [METER, *parameters]
        body = whole_body(self, head, self.body, result)
        definition = syntax.function(head, safe_name(self.places.name), parameters, body)
        return Written(definition, self.globals, self.places)

    def _result(self, end: End) -> ast.expr:
        place = self.places.of(self.graph.block.return_node)
        values = self.narrow(place, end)
        return values[0] if len(values) == 1 else syntax.tuple_of(place, values)

    # -- Blocks --------------------------------------------------------------------------------

    def nested(
        self, block: Block, first: Sequence[ast.stmt] = (), counter: str = ""
    ) -> tuple[list[ast.stmt], End]:
        """The statements of a block within the function, and its end; of a loop, with the variable that counts."""
        outer, self.body = self.body, list(first)
        here = self.places.here
        end = self.block(block, counter)
        self.places.go_back(here)
        made, self.body = self.body, outer
        return made, end

    def block(self, block: Block, counter: str = "") -> End:
        """The nodes of a block, without what becomes of its outputs."""
        self.delete(self.places.here, self.heavy(self.liveness.dead_at_start(block)), counter)
        for node in block.nodes():
            if node.kind in _NOT_RUN or node in self.computed_by_loop or is_python_range(node):
                continue
            if node.kind == prim.If:
                write_if(self, node)
            elif node.kind == prim.Loop:
                self.flush()
                write_loop(self, node)
            elif node.kind == prim.BailOut:
                write_bailout(self, node)
            else:
                self._computation(node)
        return self._end(block.return_node)

    def _end(self, node: Node) -> End:
        taken = self.take(node.inputs)
        self.flush()
        expressions, wide = self.operands(node, node.inputs, taken, keep_wide=True)
        return End(expressions, wide, self.dying(node))

    def move(
        self, place: Place, targets: Sequence[str | None], end: End, *, offset: int = 0
    ) -> None:
        """Set variables to what a block has computed, all at once. What nobody wants has no target."""
        moves: list[tuple[str, ast.expr, bool]] = []
        for to, value, is_wide in zip(targets, end.expressions[offset:], end.wide[offset:]):
            if to is None:
                if not _is_simple(value):
                    self.body.append(syntax.expression(place, value))
            elif not (isinstance(value, ast.Name) and value.id == to):
                moves.append((to, value, is_wide))
        self._assign(place, moves)
        self.delete(place, [each for each in end.dying if each not in targets])

    def _assign(self, place: Place, moves: Sequence[tuple[str, ast.expr, bool]]) -> None:
        """One after the other, what is computed first, if none is overwritten that is read later; else at once."""
        moves = sorted(moves, key=lambda move: _is_simple(move[1]))
        written = {to for to, _, _ in moves}
        read = [value.id for _, value, _ in moves if isinstance(value, ast.Name)]
        if sum(not _is_simple(value) for _, value, _ in moves) < 2 and written.isdisjoint(read):
            for to, value, is_wide in moves:
                self.store(place, to, value, is_wide=is_wide)
            return
        values = [self.in_64_bits(place, value, is_wide) for _, value, is_wide in moves]
        names = [to for to, _, _ in moves]
        self.body.append(syntax.assign_all(place, names, syntax.tuple_of(place, values)))

    def store(self, place: Place, to: str, value: ast.expr, *, is_wide: bool) -> None:
        """Set one variable."""
        if isinstance(value, ast.Name) and value.id == to:
            return
        self.body.append(syntax.assign_all(place, [to], value))
        if is_wide:
            self.body.append(self.expressions.wrap_statement(place, to))

    def in_64_bits(self, place: Place, value: ast.expr, is_wide: bool) -> ast.expr:
        return self.expressions.wrapped(place, value) if is_wide else value

    def narrow(self, place: Place, end: End) -> list[ast.expr]:
        """All that a block has computed, as it may be handed on."""
        return [self.in_64_bits(place, *each) for each in zip(end.expressions, end.wide)]

    # -- Nodes without blocks ------------------------------------------------------------------

    def _computation(self, node: Node) -> None:
        """A node as an expression that waits for its user, or as a statement."""
        if node.kind in CALLS:
            self._call(node)
            return
        taken = self.take(node.inputs, alone=_is_store(node))
        dying = self.dying(node)
        depth = depth_of(taken) + 1
        is_wide = node in self.expressions.wrapping
        waits = not dying and self._has_place(node, depth)
        if not waits:
            self.flush()
        operands, _ = self.operands(node, node.inputs, taken, keep_wide=is_wide)
        if waits:
            value = self.expressions.of(node, operands)
            self.stack.push(Waiting(node, node.output, value, is_wide, depth))
        else:
            self._statement(node, operands, dying, is_wide=is_wide)

    def _statement(
        self, node: Node, operands: list[ast.expr], dying: list[str], *, is_wide: bool
    ) -> None:
        place = self.places.of(node)
        if _is_store(node):
            self.body.append(_store_item(node, place, operands))
            self.delete(place, dying)
            return
        if node.kind in _CONTEXTS:
            self.enters_contexts = True
            self.body.append(_CONTEXTS[node.kind](place, operands))
        if node.kind == prim.NativeGroup:
            operands = [self._meter(place), *operands]
        value = self.expressions.of(node, operands)
        self.set_outputs(node, value, dying, is_wide=is_wide)

    def _meter(self, place: Place) -> ast.expr:
        """What counts the steps of an execution under limits; None where nothing does."""
        return syntax.name(place, METER) if self.metered else syntax.constant(place, None)

    def set_outputs(
        self, node: Node, value: ast.expr, dying: Sequence[str], *, is_wide: bool = False
    ) -> None:
        """A statement that computes the outputs of a node; what it was the last to need is deleted."""
        place, at = self.places.of(node), self.lifetimes.start[node]
        targets: list[str] = []
        outputs = node.outputs
        if len(outputs) == 1 and outputs[0].has_uses:
            if dying and not node.output.has_debug_name:
                targets = [self.variables.take_over(node.output, dying[0])]
            else:
                targets = [self.variables.place(node.output, at)]
            self.store(place, targets[0], value, is_wide=is_wide)
        elif len(outputs) < 2:
            self.body.append(syntax.expression(place, value))
        else:
            targets = self.variables.place_together(node.outputs, at)
            self.body.append(syntax.assign_all(place, targets, value))
        self.delete(place, [each for each in dying if each not in targets])
        if len(node.outputs) > 1:
            self.delete(place, self.heavy(self.liveness.dead_after(node)))

    def _call(self, node: Node) -> None:
        """A call of a script function. What dies as an argument is the callee's alone."""
        arguments = arguments_of(node)
        taken = self.take(arguments)
        dying = self.dying(node)
        if taken and (dying or callee_of(node) is None):
            self._put_back(taken)
            self.flush()
            taken, dying = {}, self.dying(node)
        depth = depth_of(taken) + 1
        waits = not dying and callee_of(node) is not None and self._has_place(node, depth)
        if not waits:
            self.flush()
        operands, _ = self.operands(node, arguments, taken)
        value, dying = call_of(self, node, operands, dying)
        if waits:
            self.stack.push(Waiting(node, node.output, value, False, depth))
        else:
            self.set_outputs(node, value, dying)

    # -- Operands ------------------------------------------------------------------------------

    def take(self, inputs: Sequence[Value], *, alone: bool = False) -> dict[Value, Waiting]:
        """The inputs that wait and can stand in the place of their use; others become statements.

        With `alone` no more than one can: Python would compute several in another order.
        """
        if not self.stack.waiting:
            return {}
        taken = self.stack.take(inputs)
        if alone and len(taken) > 1:
            self._put_back(taken)
            taken = {}
        if any(each.value in inputs for each in self.stack.waiting):
            self.flush()
        return taken

    def _put_back(self, taken: dict[Value, Waiting]) -> None:
        for each in taken.values():
            self.stack.push(each)

    def operand(self, value: Value, place: Place) -> ast.expr:
        """A value that does not wait: a constant or a variable."""
        if value.node.kind in _FIXED:
            return self.expressions.constant(value, place)
        return syntax.name(place, self.variables.of(value))

    def operands(
        self,
        node: Node,
        inputs: Sequence[Value],
        taken: dict[Value, Waiting],
        *,
        keep_wide: bool = False,
    ) -> tuple[list[ast.expr], list[bool]]:
        """The inputs of a node. With `keep_wide` ints may come unwrapped; which do, is said besides."""
        place = self.places.of(node)
        if not taken:
            return [self.operand(value, place) for value in inputs], [False] * len(inputs)
        made: list[ast.expr] = []
        wide: list[bool] = []
        for value in inputs:
            waiting = taken.get(value)
            if waiting is None:
                made.append(self.operand(value, place))
                wide.append(False)
            else:
                keeps = waiting.is_wide and not keep_wide
                made.append(self.in_64_bits(place, waiting.expression, keeps))
                wide.append(waiting.is_wide and keep_wide)
        return made, wide

    def flush(self) -> None:
        """What waits becomes statements."""
        for each in self.stack.take_all():
            place = self.places.of(each.node)
            variable = self.variables.place(each.value, self._number(each.node))
            self.store(place, variable, each.expression, is_wide=each.is_wide)

    def _number(self, node: Node) -> int:
        return self.lifetimes.end.get(node) or self.lifetimes.start[node]

    def may_wait(self, node: Node, depth: int) -> bool:
        """Whether an expression may stand in the place of its only use, and nothing is to be let go of before."""
        return self._has_place(node, depth) and not self._dying_values(node)

    @staticmethod
    def _has_place(node: Node, depth: int) -> bool:
        if len(node.outputs) != 1 or node.output.use_count != 1 or depth > DEEPEST:
            return False
        if node.output.has_debug_name:
            return False  # whoever debugs the program looks for it
        use = node.output.uses[0]
        if use.node.block is not node.block or use.node.kind in _NO_PLACE:
            return False
        return node.kind not in _CONTEXTS and node.kind != prim.NativeGroup

    # -- Letting go ----------------------------------------------------------------------------

    def heavy(self, values: Sequence[Value]) -> list[str]:
        """The variables of those values that hold memory."""
        has, of = self.variables.has, self.variables.of
        return [of(value) for value in values if has(value) and is_heavy(value)]

    def dying(self, node: Node) -> list[str]:
        """The variables of inputs that hold memory and are not needed after this node."""
        return self.heavy(self._dying_values(node))

    def _dying_values(self, node: Node) -> list[Value]:
        is_last_use, has = self.liveness.is_last_use, self.variables.has
        return [
            value
            for offset, value in enumerate(node.inputs)
            if has(value) and is_heavy(value) and is_last_use(node, offset)
        ]

    def delete(self, place: Place, names: Sequence[str], kept: str = "") -> None:
        if deleted := [each for each in dict.fromkeys(names) if each != kept]:
            self.body.append(syntax.delete(place, deleted))


def _is_simple(value: ast.expr) -> bool:
    return isinstance(value, ast.Name | ast.Constant)


def _is_store(node: Node) -> bool:
    """Whether a node sets an element or an attribute, which is a statement in Python."""
    if node.kind == prim.SetAttr:
        return True
    return node.kind == aten.set_item and fast_kernel(node) is operator.setitem


def _store_item(node: Node, place: Place, operands: Sequence[ast.expr]) -> ast.stmt:
    if node.kind != prim.SetAttr:
        return syntax.store_item(place, *operands)
    owner = syntax.attribute(place, operands[0], "script_attributes")
    name = syntax.constant(place, node.string_attribute("name"))
    return syntax.store_item(place, owner, name, operands[1])


def _entering(place: Place, operands: Sequence[ast.expr]) -> ast.stmt:
    contexts = syntax.attribute(place, syntax.name(place, CONTEXTS), "append")
    return syntax.expression(place, syntax.call(place, contexts, operands))


def _exiting(place: Place, _operands: Sequence[ast.expr]) -> ast.stmt:
    contexts = syntax.attribute(place, syntax.name(place, CONTEXTS), "pop")
    return syntax.expression(place, syntax.call(place, contexts, ()))


_CONTEXTS: Final = {prim.Enter: _entering, prim.Exit: _exiting}
_NO_PLACE: Final = frozenset({prim.Loop, prim.Enter, prim.Exit})
"""Nodes whose inputs are variables or constants."""
