"""Guards: an ``if`` that returns what the rest of the program gives, where an assumption does not hold."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tsc.compiler.ir import Node
from tsc.runtime.execution.bailout_functions import bailout_function
from tsc.runtime.execution.python import syntax
from tsc.runtime.execution.python.calls import CONTEXTS, on_meter
from tsc.runtime.execution.python.expressions import METER
from tsc.runtime.execution.python.meter import Meter

if TYPE_CHECKING:
    from tsc.runtime.execution.python.function_writer import Writer


def write_bailout(writer: Writer, node: Node) -> None:
    """The test, the call of the rest of the program, and the tensor as it is known from then on."""
    writer.flush()
    place = writer.places.of(node)
    operands = [writer.operand(value, place) for value in node.inputs[1:]]
    kernel = writer.expressions.constant_name("guard", writer.expressions.kernels(node))
    holds = syntax.call(place, syntax.name(place, kernel), operands[:1])
    leaving = _leaving(writer, node, place, operands)
    writer.body.append(syntax.branch(place, syntax.negation(place, holds), leaving, []))
    writer.set_outputs(node, writer.operand(node.inputs[1], place), writer.dying(node))


def _leaving(
    writer: Writer, node: Node, place: syntax.Place, operands: list[ast.expr]
) -> list[ast.stmt]:
    """What is entered by then is the rest's to leave."""
    function = bailout_function(node, writer.places.qualified_name, writer.places.beginning)
    rest = writer.function_of(function, len(operands))
    called = syntax.name(place, writer.expressions.constant_name("rest", rest))
    statements: list[ast.stmt] = []
    if writer.metered:
        operands = [syntax.name(place, METER), *operands]
        statements.append(on_meter(writer, place, Meter.close))
    if writer.enters_contexts:
        clear = syntax.attribute(place, syntax.name(place, CONTEXTS), "clear")
        statements.append(syntax.expression(place, syntax.call(place, clear, ())))
    return [*statements, syntax.result(place, syntax.call(place, called, operands))]
