"""Function definitions: parameters and their defaults, the body, what is returned."""

from __future__ import annotations

from tsc.compiler.emit.environment import is_meaningful
from tsc.compiler.emit.protocols import Emitter
from tsc.compiler.emit.statements.default_arguments import evaluate_default
from tsc.compiler.emit.statements.returns import emit_return
from tsc.compiler.emit.sugared_values import SimpleValue
from tsc.compiler.frontend.function_types import is_function_type
from tsc.compiler.frontend.tree_views import (
    Def,
    ListComp,
    ListLiteral,
    NoneLiteral,
    Param,
    Return,
)
from tsc.compiler.ir import Block, Function, prim
from tsc.compiler.schema import NO_DEFAULT, Argument, FunctionSchema
from tsc.compiler.source import CompileError, codes, extensions
from tsc.compiler.types import INFERRED_TENSOR, NONE, Type


def emit_function(emitter: Emitter, definition: Def) -> FunctionSchema:
    """Emit a whole definition into the emitter's graph; returns its schema.

    With an annotated return type the schema is known before the body is emitted: the function may
    then call itself.
    """
    for refusal in definition.refusals:
        raise refusal
    for param in definition.decl.params:
        _check_kind(emitter, param)
    arguments = tuple(argument_of(emitter, param) for param in definition.decl.params)
    declared = declared_return_type(emitter, definition)
    if declared is not None:
        emitter.function.schema = schema_of(emitter.function, arguments, declared)
    with emitter.definition(declared):
        for param, argument in zip(definition.decl.params, arguments, strict=True):
            emit_parameter(emitter, param, argument)
        emitter.emit_statements(definition.statements)
        returned = finish(emitter, definition)
    _replace_empty_lists(emitter)
    return schema_of(emitter.function, arguments, returned)


def schema_of(
    function: Function, arguments: tuple[Argument, ...], returned: Type
) -> FunctionSchema:
    return FunctionSchema(function.name, "", arguments, (Argument.of("", returned),))


def declared_return_type(emitter: Emitter, definition: Def) -> Type | None:
    tree = definition.decl.return_type
    return None if tree is None else emitter.types.parse_type(tree)


def _check_kind(emitter: Emitter, param: Param) -> None:
    """PyTorch refuses these before it looks at the types of any parameter."""
    refusal = (
        "Compiled functions can't take variable number of arguments, nor keyword-only arguments "
        "that have defaults"
    )
    if param.prefix:
        hint = "take a list or a tuple instead"
        raise CompileError(refusal, param.range, code=codes.NO_VARIADIC_PARAMETER, hint=hint)
    if param.kwarg_only and param.default is not None:
        emitter.acceptance.use(extensions.KEYWORD_ONLY_DEFAULTS, param.range, refusal)
    if param.positional_only:
        refusal = f"undefined value {param.name}: PyTorch leaves out what stands in front of '/'"
        emitter.acceptance.use(extensions.POSITIONAL_ONLY, param.range, refusal)
    if isinstance(param.default, ListLiteral | ListComp):
        refusal = (
            "Mutable default parameters are not supported because Python binds them to the function "
            "and they persist across function calls"
        )
        emitter.acceptance.use(extensions.MUTABLE_DEFAULTS, param.range, refusal)


def argument_of(emitter: Emitter, param: Param) -> Argument:
    _check_kind(emitter, param)
    if is_function_type(param.type, emitter.resolver.qualified_name):
        refusal = "Unknown type constructor Callable"
        emitter.acceptance.use(extensions.FUNCTION_PARAMETERS, param.range, refusal)
    type = INFERRED_TENSOR if param.type is None else emitter.types.parse_type(param.type)
    size = None if param.type is None else emitter.types.list_size(param.type)
    default = NO_DEFAULT
    if param.default is not None:
        try:
            default = evaluate_default(emitter, param.default, type, size, name=param.name)
        except CompileError as error:
            if not param.is_of_overload or error.code != codes.DEFAULT_MISMATCH:
                raise
    return Argument(param.name, type, type, size, default, kwarg_only=param.kwarg_only)


def emit_parameter(emitter: Emitter, param: Param, argument: Argument) -> None:
    name = argument.name
    block = emitter.environment.block
    value = block.add_input(name if is_meaningful(name) else None, argument.type)
    is_first = len(block.inputs) == 1
    sugared = emitter.resolver.sugared_self(value) if is_first else None
    emitter.environment.set(name, sugared or SimpleValue(value), param.ident.range)


# -- Returns ---------------------------------------------------------------------------------


def finish(emitter: Emitter, definition: Def) -> Type:
    """Emit what happens at the end of the body; returns the type that the function returns."""
    context = emitter.definitions[-1]
    block = emitter.environment.block
    if block not in emitter.exit_blocks:
        _emit_implicit_return(emitter, definition)
    returned = context.merged_return_type or context.declared_return_type or NONE
    _register_placeholder(emitter, block, returned)
    return returned


def _emit_implicit_return(emitter: Emitter, definition: Def) -> None:
    declared = emitter.definitions[-1].declared_return_type
    if declared is not None and declared != NONE:
        raise CompileError(
            "Function was not annotated as having type None, but does not return along all paths",
            definition.head,
            code=codes.MISSING_RETURN,
            hint="return a value, or raise, at the end",
        )
    extent = definition.extent
    emit_return(emitter, Return(extent, NoneLiteral(extent)))


def _register_placeholder(emitter: Emitter, block: Block, type: Type) -> None:
    """The block's output until the exit transform knows which ReturnStmt gives it."""
    block.register_output(emitter.insert(prim.Uninitialized).output.set_type(type))


def _replace_empty_lists(emitter: Emitter) -> None:
    """An ``[]`` whose use did not choose another element type is a list of tensors."""
    for node in emitter.empty_lists:
        if node.is_attached:
            replacement = emitter.graph.create(prim.ListConstruct).insert_before(node)
            replacement.output.set_type(node.output.type)
            node.output.replace_all_uses_with(replacement.output)
            node.destroy()
