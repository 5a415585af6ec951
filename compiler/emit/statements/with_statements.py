"""``with``: Enter before the body, Exit after it, in the opposite order."""

from __future__ import annotations

from tsc.compiler.emit.protocols import Emitter
from tsc.compiler.frontend.tree_views import Var, With, WithItem
from tsc.compiler.ir import Function, Value, prim
from tsc.compiler.schema import FunctionSchema
from tsc.compiler.source import CompileError, codes
from tsc.compiler.types import ANY, ClassType, Type


def emit_with(emitter: Emitter, tree: With) -> None:
    entered = [_emit_enter(emitter, item) for item in tree.targets]
    emitter.emit_statements(tree.body)
    for manager in reversed(entered):
        emitter.insert(prim.Exit, [manager])


def _emit_enter(emitter: Emitter, item: WithItem) -> Value:
    """Enter one context; returns its manager."""
    manager = emitter.emit_expression(item.target)
    node = emitter.insert(prim.Enter, [manager])
    node.output.set_type(_entered_type(manager.type, item))
    if item.var is None:
        return manager
    if not isinstance(item.var, Var):
        raise CompileError(
            "a with statement can only bind a variable",
            item.var.range,
            code=codes.NO_CONTEXT_MANAGER,
        )
    emitter.environment.set_value(item.var.name.name, node.output, item.var.range)
    return manager


def _entered_type(type: Type, item: WithItem) -> Type:
    """What ``__enter__`` of the manager's class returns."""
    if not isinstance(type, ClassType):
        raise CompileError(
            "With item expression must return an object",
            item.target.range,
            code=codes.NO_CONTEXT_MANAGER,
        )
    enter, leave = type.methods.get("__enter__"), type.methods.get("__exit__")
    if not isinstance(enter, Function) or not isinstance(leave, Function):
        raise CompileError(
            "a with statement needs an object of a class that does define __enter__ and __exit__",
            item.target.range,
            code=codes.NO_CONTEXT_MANAGER,
        )
    _check_enter(enter.schema, item)
    _check_exit(leave.schema, item)
    return enter.schema.returns[0].type


def _check_enter(enter: FunctionSchema, item: WithItem) -> None:
    if len(enter.arguments) != 1:
        raise CompileError(
            "__enter__ must have only one argument, self",
            item.target.range,
            code=codes.NO_CONTEXT_MANAGER,
            hint="give __init__ the other arguments, and keep them as attributes",
        )


def _check_exit(leave: FunctionSchema, item: WithItem) -> None:
    """What `__exit__` would be told of an exception is never there: its parameters take anything."""
    hint = "write `def __exit__(self, type: Any, value: Any, traceback: Any):`"
    if len(leave.arguments) != 4:
        raise CompileError(
            "__exit__ must have four arguments: self, and three that tell of an exception",
            item.target.range,
            code=codes.NO_CONTEXT_MANAGER,
            hint=hint,
        )
    for argument in leave.arguments[1:]:
        if argument.type != ANY:
            raise CompileError(
                f"the argument '{argument.name}' of __exit__ must have Any type, not "
                f"{argument.type.message_text}: no exception is passed to it",
                item.target.range,
                code=codes.NO_CONTEXT_MANAGER,
                hint=hint,
            )
