"""Calls of one function of a program by another: plain calls of Python, which take nothing of the processor's stack.

An argument that the caller does not need any more is the callee's alone: it is handed over in a list that is
emptied by the call.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from tsc.compiler.ir import Graph, Node, Value, callee_of
from tsc.compiler.ir.symbols import prim
from tsc.compiler.source import CompileError, codes
from tsc.runtime.execution.python import syntax
from tsc.runtime.execution.python.expressions import METER
from tsc.runtime.execution.python.meter import Meter
from tsc.runtime.execution.python.syntax import Place
from tsc.runtime.values.objects import method_of

if TYPE_CHECKING:
    from tsc.runtime.execution.python.function_writer import Writer

CONTEXTS: Final = "entered contexts"
"""A local variable: the ``with`` statements that are open."""
_HANDED_OVER: Final = "handed over"
_RESULT: Final = "function result"


def call_of(
    writer: Writer, node: Node, operands: list[ast.expr], dying: Sequence[str]
) -> tuple[ast.expr, list[str]]:
    """The expression that calls a function, and which of the `dying` variables are still to be deleted."""
    place = writer.places.of(node)
    function = _callee(writer, node, place, operands)
    arguments, left = _hand_over(writer, place, operands, dying)
    if writer.metered:
        arguments.insert(0, syntax.name(place, METER))
    return syntax.call(place, function, arguments), left


def _callee(writer: Writer, node: Node, place: Place, operands: Sequence[ast.expr]) -> ast.expr:
    callee = callee_of(node)
    if callee is not None:
        function = writer.function_of(callee, len(operands))
        return syntax.name(place, writer.expressions.constant_name(callee.name, function))
    if node.kind != prim.CallMethod:
        raise CompileError(
            "the function that is called here is not known", node.range, code=codes.NOT_EXECUTABLE
        )

    def method(owner: Any, name: str) -> Any:
        return writer.function_of(method_of(owner, name), len(operands))

    finder = syntax.name(place, writer.expressions.constant_name("method", method))
    name = syntax.constant(place, node.string_attribute("name"))
    found = writer.variables.new()
    value = syntax.call(place, finder, [operands[0], name])
    writer.body.append(syntax.assign_all(place, [found], value))
    return syntax.name(place, found)


def _hand_over(
    writer: Writer, place: Place, operands: Sequence[ast.expr], dying: Sequence[str]
) -> tuple[list[ast.expr], list[str]]:
    names = [each.id if isinstance(each, ast.Name) else "" for each in operands]
    handed = [name for name in names if name in dying and names.count(name) == 1]
    if not handed:
        return list(operands), list(dying)
    values = [syntax.name(place, name) for name in reversed(handed)]
    kept = syntax.assign_all(place, [_HANDED_OVER], syntax.list_of(place, values))
    writer.body += [kept, syntax.delete(place, handed)]
    arguments = [
        _taken(place) if name in handed else operand for name, operand in zip(names, operands)
    ]
    return arguments, [name for name in dying if name not in handed]


def _taken(place: Place) -> ast.expr:
    pop = syntax.attribute(place, syntax.name(place, _HANDED_OVER), "pop")
    return syntax.call(place, pop, ())


# -- Whole functions ---------------------------------------------------------------------------


def whole_body(
    writer: Writer, head: Place, statements: list[ast.stmt], result: ast.expr
) -> list[ast.stmt]:
    """The body of a function with what is to be done when it starts and ends."""
    while statements and isinstance(statements[-1], ast.Delete) and _is_at_hand(result):
        statements.pop()  # returning does it
    body = [*statements, *_ending(writer, head, result)]
    if writer.enters_contexts:
        entered = [writer.operand(value, head) for value in entered_before(writer.graph)]
        started = syntax.assign_all(head, [CONTEXTS], syntax.list_of(head, entered))
        body = [started, _leaving_contexts(writer, head, body)]
    if writer.metered:
        body.insert(0, on_meter(writer, head, Meter.open))
    return body


def entered_before(graph: Graph) -> list[Value]:
    """What a graph leaves and does not enter: the rest of a program that has bailed out, the outermost first."""
    entered: Counter[Value] = Counter()
    found: list[Value] = []
    for node in graph.all_nodes():
        if node.kind == prim.Enter:
            entered[node.inputs[0]] += 1
        elif node.kind == prim.Exit and entered[node.inputs[0]] > 0:
            entered[node.inputs[0]] -= 1
        elif node.kind == prim.Exit:
            found.append(node.inputs[0])
    return found[::-1]


def _is_at_hand(result: ast.expr) -> bool:
    parts = result.elts if isinstance(result, ast.Tuple) else [result]
    return all(isinstance(part, ast.Name | ast.Constant) for part in parts)


def _ending(writer: Writer, head: Place, result: ast.expr) -> list[ast.stmt]:
    place = syntax.place_of(result)
    if not writer.metered:
        return [syntax.result(place, result)]
    return [
        syntax.assign_all(place, [_RESULT], result),
        on_meter(writer, head, Meter.close),
        syntax.result(place, syntax.name(place, _RESULT)),
    ]


def _leaving_contexts(writer: Writer, head: Place, body: list[ast.stmt]) -> ast.stmt:
    """What an error leaves is left by all that was entered, the innermost first."""
    leave = syntax.name(head, writer.expressions.constant_name("leave", leave_contexts))
    left = syntax.call(head, leave, [syntax.name(head, CONTEXTS)])
    any_error = syntax.name(head, writer.expressions.constant_name("error", BaseException))
    again = syntax.made(ast.Raise, head, exc=None, cause=None)
    handler = syntax.made(
        ast.ExceptHandler,
        head,
        type=any_error,
        name=None,
        body=[syntax.expression(head, left), again],
    )
    return syntax.made(ast.Try, head, body=body, handlers=[handler], orelse=[], finalbody=[])


def leave_contexts(entered: list[Any]) -> None:
    """Leave ``with`` statements, the innermost first."""
    while entered:
        entered.pop().__exit__(None, None, None)


def on_meter(writer: Writer, place: Place, method: Callable[[Meter], None]) -> ast.stmt:
    """A call of a method of the `Meter` that counts the steps; by its function, whose place Python leaves as it is."""
    function = syntax.name(place, writer.expressions.constant_name("meter", method))
    return syntax.expression(place, syntax.call(place, function, [syntax.name(place, METER)]))
