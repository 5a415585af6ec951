"""Calls to builtin operators and to functions, once it is known what is called."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.emit.calls.builtin_functions import (
    Asserting,
    Body,
    Call,
    Literal,
    WithNumbers,
    builtin_definitions,
)
from tsc.compiler.emit.calls.schema_matching import MatchedSchema, match_schemas
from tsc.compiler.emit.construction import insert_tuple
from tsc.compiler.emit.inserter import Inserter
from tsc.compiler.emit.names.absent_names import absent_operator
from tsc.compiler.emit.protocols import Emitter, NamedValue
from tsc.compiler.ir import (
    Function,
    Graph,
    RecursiveDefinition,
    Value,
    insert_function_constant,
    prim,
)
from tsc.compiler.schema import FunctionSchema, Operator
from tsc.compiler.source import CompileError, SourceRange, codes, extensions
from tsc.compiler.types import TupleType, Type

_LISTING = "`tsc ops` lists the operators there are"
_OWN_NAMESPACES = ("aten", "prim")


def emit_builtin_call(
    range: SourceRange,
    emitter: Inserter,
    name: str,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue] = (),
    self_argument: NamedValue | None = None,
) -> Value:
    """Emit a call of the builtin ``name`` ("aten::relu") with the first overload that fits.

    Several results are packed into a tuple, named when the schema names them.
    """
    operators = emitter.operators.operators_for(name)
    definitions = builtin_definitions(name)
    schemas = [operator.schema for operator in operators]
    schemas.extend(definition.schema for definition in definitions)
    if not schemas:
        raise CompileError(
            unknown_builtin(name, emitter),
            range,
            code=codes.UNKNOWN_OPERATOR,
            hint=_way_to_have(name, (*args, *kwargs)),
        )
    index, matched = match_schemas(schemas, range, emitter, args, kwargs, self_argument)
    if index < len(operators):
        return _emit_node(emitter.graph, range, operators[index], matched)
    body = definitions[index - len(operators)].body
    return _emit_definition(range, emitter, body, matched.inputs)


def emit_builtin_values(
    range: SourceRange, emitter: Inserter, name: str, values: Sequence[Value]
) -> Value:
    """``emit_builtin_call`` for plain positional values."""
    return emit_builtin_call(range, emitter, name, [NamedValue(value, range) for value in values])


def emit_function_call(
    range: SourceRange,
    emitter: Emitter,
    functions: Sequence[Function],
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
) -> Value:
    """Emit a call of the first of some functions (overloads of one name) that fits."""
    schemas = [schema_of_callee(function, range, emitter) for function in functions]
    index, matched = match_schemas(schemas, range, emitter, args, kwargs)
    inputs, type = matched.inputs, matched.return_types[0]
    return insert_call(emitter.graph, functions[index], inputs, type, range)


def insert_call(
    graph: Graph, function: Function, inputs: Sequence[Value], type: Type, range: SourceRange
) -> Value:
    """Insert a call whose inputs are known to fit."""
    callee = insert_function_constant(graph, function)
    call = graph.create(prim.CallFunction, [callee, *inputs], range=range)
    return graph.insert_node(call).output.set_type(type)


def schema_of_callee(function: Function, range: SourceRange, emitter: Emitter) -> FunctionSchema:
    """A function's schema. One that is being defined right now has it if it is annotated."""
    refusal = f"function '{function.name}' is called recursively. Recursive calls are not supported"
    try:
        schema = function.schema
    except RecursiveDefinition:
        raise CompileError(
            refusal,
            range,
            code=codes.UNANNOTATED_RECURSION,
            hint="annotate its return type: then they are",
        ) from None
    if function.is_being_defined:
        emitter.acceptance.use(extensions.RECURSION, range, refusal)
    return schema


def unknown_builtin(name: str, emitter: Inserter) -> str:
    """The message for a name that no operator has, with the names that come close."""
    absence = absent_operator(name)
    if absence is not None:
        return f"Unknown builtin op: {name}.\n{absence.message}."
    similar = emitter.operators.similar(name)
    if not similar:
        return (
            f"Unknown builtin op: {name}.\nCould not find any similar ops to {name}: check its "
            "spelling, or do the same by operators that there are"
        )
    suggestions = "".join(f"\t{suggestion}\n" for suggestion in similar)
    return f"Unknown builtin op: {name}.\nHere are some suggestions: \n{suggestions}"


def _way_to_have(name: str, arguments: Sequence[NamedValue]) -> str:
    """What to do about an operator that is missing; one of an extension can be given to tsc."""
    absence = absent_operator(name)
    if absence is not None:
        return absence.way_out
    if name.partition("::")[0] in _OWN_NAMESPACES:
        return _LISTING
    given = ", ".join(
        f"{each.value.type.annotation} {each.name or f'argument_{number}'}"
        for number, each in enumerate(arguments, start=1)
    )
    return (
        "the operator belongs to an extension of PyTorch, which tsc has not; in Python, give a "
        f'function that computes it to `tsc.register_operator("{name}({given}) -> ...", function)`'
    )


def _emit_node(
    graph: Graph, range: SourceRange, operator: Operator, matched: MatchedSchema
) -> Value:
    types = matched.return_types
    node = graph.create(operator, matched.inputs, len(types), range=range)
    graph.insert_node(node)
    for output, type in zip(node.outputs, types, strict=True):
        output.set_type(type)
    if len(types) == 1:
        return node.output
    names = matched.return_field_names if types else None
    packed = None if names is None else TupleType(tuple(types), field_names=names)
    return insert_tuple(graph, node.outputs, packed)


def _emit_definition(
    range: SourceRange, emitter: Inserter, body: Body, inputs: Sequence[Value]
) -> Value:
    match body:
        case int(position):
            return inputs[position]
        case Literal(value):
            return emitter.graph.insert_constant(value, range=range)
        case WithNumbers(numbers, result):
            constants = [emitter.graph.insert_constant(each, range=range) for each in numbers]
            return _emit_definition(range, emitter, result, [*inputs, *constants])
        case Call(name, arguments):
            values = [_emit_definition(range, emitter, each, inputs) for each in arguments]
            return emit_builtin_values(range, emitter, name, values)
        case Asserting(condition, message, result):
            checked = _emit_definition(range, emitter, condition, inputs)
            _emit_assertion(range, emitter, checked, message, inputs)
            return _emit_definition(range, emitter, result, inputs)


def _emit_assertion(
    range: SourceRange,
    emitter: Inserter,
    condition: Value,
    message: Body,
    inputs: Sequence[Value],
) -> None:
    graph = emitter.graph
    error_class = graph.insert_constant(None, range=range)
    branches = graph.insert_node(graph.create(prim.If, [condition], 0, range=range))
    branches.add_block()
    with graph.insert_at(branches.add_block()):
        text = _emit_definition(range, emitter, message, inputs)
        node = graph.create(prim.RaiseException, [text, error_class], 0, range=range)
        node.operator = emitter.operators.find(prim.RaiseException, "")
        graph.insert_node(node)
