"""An exported program as a graph of TorchScript."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.exir.exported_program import ExportedProgram
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.plain_form import plain_form
from tsc.compiler.exir.signature import InputSpec, OutputKind, OutputSpec
from tsc.compiler.exir.symbolic_expressions import SymbolicExpression
from tsc.compiler.exir.targets import Target
from tsc.compiler.exir.translation.control_flow import translate_higher_order
from tsc.compiler.exir.translation.operator_calls import translate_operator
from tsc.compiler.exir.translation.scope import (
    Allowance,
    Scope,
    Translated,
    TranslationError,
    unknown_call,
)
from tsc.compiler.exir.translation.size_functions import is_size_function, translate_size_function
from tsc.compiler.ir import Graph, Value, prim
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.schema import OperatorTable
from tsc.compiler.types import BOOL, FLOAT, INT, TENSOR, TupleType, Type

_WRITTEN = (
    OutputKind.BUFFER_MUTATION,
    OutputKind.PARAMETER_MUTATION,
    OutputKind.USER_INPUT_MUTATION,
)
_MOST_COPIES = 16
"""Of a node, as conditions of loops in conditions of loops have."""


def graph_of_program(program: ExportedProgram, operators: OperatorTable) -> Graph:
    """A graph that does what the program says.

    Its inputs are those of the exported graph without constants; what a program gives back for a buffer or an input
    is written into it, and what is left is returned as a tuple.

    Raises:
        TranslationError: something in the program is not known, or does not fit.
    """
    program = runnable(program)
    scope = program_scope(program, operators)
    for node, spec in zip(program.graph.placeholders, program.graph_signature.input_specs):
        scope.values[node] = _input(scope, node, spec)
    _return(scope.graph, translate_program(scope, program))
    return scope.graph


def runnable(program: ExportedProgram) -> ExportedProgram:
    """The program in the form that is translated. Raises `TranslationError` where it has none."""
    try:
        return plain_form(program)
    except GraphError as error:
        raise TranslationError(str(error)) from None


def program_scope(program: ExportedProgram, operators: OperatorTable) -> Scope:
    """A new graph for a program, whose inputs have no values yet."""
    if len(program.graph_signature.input_specs) != len(program.graph.placeholders):
        raise TranslationError("the signature tells of other inputs than the graph has")
    graph = Graph(operators)
    allowance = Allowance(_MOST_COPIES * _node_count(program.graph_module))
    return Scope(graph, operators, program.graph_module, allowance)


def translate_program(scope: Scope, program: ExportedProgram) -> list[Value]:
    """All that a program does, once its inputs have values: writes, too. What it returns."""
    results = _translate_nodes(scope)
    specs = program.graph_signature.output_specs
    if len(specs) != len(results):
        raise TranslationError("the signature tells of other outputs than the graph has")
    returned: list[Value] = []
    for spec, value in zip(specs, results, strict=True):
        if spec.kind in _WRITTEN:
            scope.insert("aten::copy_", _written(scope, program, spec), value)
        else:
            returned.append(value)
    return returned


def _node_count(module: GraphModule) -> int:
    """In all graphs."""
    return len(list(module.graph.nodes)) + sum(map(_node_count, module.modules.values()))


def _input(scope: Scope, node: Node, spec: InputSpec) -> Value:
    if spec.constant is not None:
        return scope.value(spec.constant.value)
    return scope.graph.add_input(node.name, type_of(node.meta.get("val")))


def type_of(value: object) -> Type:
    """The type of an input of which something is known."""
    if isinstance(value, FakeTensor):
        return TENSOR
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, float):
        return FLOAT
    if not isinstance(value, SymbolicExpression):
        return INT
    if value.is_condition:
        return BOOL
    if value.symbol is None:
        return INT
    return INT if ("integer", True) in value.assumptions else FLOAT


def _inlined(scope: Scope, module: GraphModule, operands: Sequence[Value]) -> list[Value]:
    """The results of a graph whose nodes are put at the insertion point."""
    inputs = module.graph.placeholders
    if len(inputs) != len(operands):
        raise TranslationError(f"a graph takes {len(inputs)} operands, and gets {len(operands)}")
    values: dict[Node, Translated] = dict(zip(inputs, operands, strict=True))
    inner = Scope(scope.graph, scope.operators, module, scope.allowance, values, scope.autocast)
    return _translate_nodes(inner)


def _translate_nodes(scope: Scope) -> list[Value]:
    """All nodes of a graph whose inputs have values; what it returns."""
    for node in scope.module.graph.nodes:
        if node.op is Op.CALL_FUNCTION:
            scope.allowance.spend()
            try:
                scope.values[node] = _call(scope, node)
            except TranslationError:
                raise
            except GraphError as error:
                raise TranslationError(f"{node.name} cannot be run: {error}") from None
    return [scope.value(each) for each in scope.module.graph.returned]


def _call(scope: Scope, node: Node) -> Translated:
    target = node.target
    assert isinstance(target, Target)
    if is_size_function(target):
        return translate_size_function(scope, node, target)
    if target.is_higher_order:
        return translate_higher_order(scope, node, target, _inlined)
    if target.is_operator:
        return translate_operator(scope, node, target)
    raise unknown_call(node)


def _return(graph: Graph, returned: Sequence[Value]) -> None:
    made = graph.insert_node(graph.create(prim.TupleConstruct, returned))
    made.output.set_type(TupleType(tuple(each.type for each in returned)))
    graph.register_output(made.output)


def _written(scope: Scope, program: ExportedProgram, spec: OutputSpec) -> Value:
    """The input that an output is written to: by the path that it is lifted from, or by its own name."""
    is_own = spec.kind is OutputKind.USER_INPUT_MUTATION
    for node, each in zip(program.graph.placeholders, program.graph_signature.input_specs):
        if (each.name if is_own else each.target) == spec.target:
            return scope.value(node)
    raise TranslationError(f"{spec.target} is to be written, and is no input")
