"""Execution of statements: one function for each class of trees."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from tsc.compiler.emit.names.module_names import ImportedModule
from tsc.compiler.frontend.tree_views import (
    Assert,
    Assign,
    AugAssign,
    Break,
    BrokenStmt,
    ClassDef,
    Continue,
    Def,
    Delete,
    ExprStmt,
    For,
    If,
    Import,
    ImportFrom,
    Pass,
    Raise,
    Return,
    Select,
    StringLiteral,
    Subscript,
    UnsupportedStmt,
    Var,
    While,
    With,
)
from tsc.compiler.source import FollowUp
from tsc.runtime.construction import class_bodies, operations
from tsc.runtime.construction.assignment import assign
from tsc.runtime.construction.errors import ConstructionError
from tsc.runtime.construction.host.host_types import as_value
from tsc.runtime.construction.subscripts import subscript_key
from tsc.runtime.construction.values.classes import ClassObject
from tsc.runtime.construction.values.functions import function_object
from tsc.runtime.construction.values.instances import ExceptionObject
from tsc.runtime.construction.values.protocol import Evaluator, Frame, Signal

_BREAK = Signal("break")
_CONTINUE = Signal("continue")


def _expression(evaluator: Evaluator, tree: ExprStmt, frame: Frame) -> None:
    if not isinstance(tree.expr, StringLiteral):
        evaluator.evaluate(tree.expr, frame)


def _assign(evaluator: Evaluator, tree: Assign, frame: Frame) -> None:
    if tree.type is not None and frame.is_class and isinstance(tree.lhs, Var):
        frame.locals.setdefault("__annotations__", {})[tree.lhs.name.name] = tree.type
    if tree.rhs is None:
        return
    value = evaluator.evaluate(tree.rhs, frame)
    for target in tree.lhs_list:
        assign(evaluator, target, value, frame)


def _augmented(evaluator: Evaluator, tree: AugAssign, frame: Frame) -> None:
    target = tree.lhs
    if isinstance(target, Select):
        owner = evaluator.evaluate(target.value, frame)
        name = target.selector.name
        frame.position = target.range
        value = evaluator.get_attribute(owner, name)
        result = _in_place(evaluator, tree, value, frame)
        evaluator.set_attribute(owner, name, result)
    elif isinstance(target, Subscript):
        owner = evaluator.evaluate(target.value, frame)
        key = subscript_key(evaluator, target, frame)
        frame.position = target.range
        value = evaluator.get_item(owner, key)
        as_value(owner).set_item(evaluator, key, _in_place(evaluator, tree, value, frame))
    else:
        value = evaluator.evaluate(target, frame)
        assign(evaluator, target, _in_place(evaluator, tree, value, frame), frame)


def _in_place(evaluator: Evaluator, tree: AugAssign, value: Any, frame: Frame) -> Any:
    other = evaluator.evaluate(tree.rhs, frame)
    frame.position = tree.range
    return operations.in_place(evaluator, tree.aug_op, value, other)


def _if(evaluator: Evaluator, tree: If, frame: Frame) -> Signal | None:
    """A long chain of ``elif`` is nested in the tree, but walked with a loop."""
    while True:
        if evaluator.truth(evaluator.evaluate(tree.cond, frame)):
            return evaluator.execute(tree.true_branch, frame)
        if len(tree.false_branch) != 1 or not isinstance(tree.false_branch[0], If):
            return evaluator.execute(tree.false_branch, frame)
        tree = tree.false_branch[0]


def _while(evaluator: Evaluator, tree: While, frame: Frame) -> Signal | None:
    while evaluator.truth(evaluator.evaluate(tree.cond, frame)):
        frame.position = tree.range
        evaluator.step()
        signal = evaluator.execute(tree.body, frame)
        if signal is _BREAK:
            return None
        if signal is not None and signal is not _CONTINUE:
            return signal
    return evaluator.execute(tree.or_else, frame)


def _for(evaluator: Evaluator, tree: For, frame: Frame) -> Signal | None:
    iterable = evaluator.evaluate(tree.iter, frame)
    frame.position = tree.iter.range
    for item in evaluator.iterate(iterable):
        assign(evaluator, tree.target, item, frame)
        signal = evaluator.execute(tree.body, frame)
        if signal is _BREAK:
            return None
        if signal is not None and signal is not _CONTINUE:
            return signal
        frame.position = tree.iter.range
    return evaluator.execute(tree.or_else, frame)


def _with(evaluator: Evaluator, tree: With, frame: Frame) -> Signal | None:
    with ExitStack() as stack:
        for item in tree.targets:
            manager = evaluator.evaluate(item.target, frame)
            frame.position = item.range
            value = stack.enter_context(as_value(manager).context_manager(evaluator))
            if item.var is not None:
                assign(evaluator, item.var, value, frame)
        return evaluator.execute(tree.body, frame)
    return None


def _return(evaluator: Evaluator, tree: Return, frame: Frame) -> Signal:
    return Signal("return", evaluator.evaluate(tree.expr, frame))


def _raise(evaluator: Evaluator, tree: Raise, frame: Frame) -> None:
    value = evaluator.evaluate(tree.expr, frame)
    frame.position = tree.range
    if isinstance(value, ClassObject):
        value = evaluator.call(value)
    if not isinstance(value, ExceptionObject):
        raise TypeError("exceptions must derive from BaseException")
    raise ConstructionError(value.cls.name, evaluator.text(value))


def _assert(evaluator: Evaluator, tree: Assert, frame: Frame) -> None:
    if not evaluator.truth(evaluator.evaluate(tree.test, frame)):
        message = "" if tree.msg is None else evaluator.text(evaluator.evaluate(tree.msg, frame))
        frame.position = tree.range
        raise ConstructionError("AssertionError", message)


def _delete(evaluator: Evaluator, tree: Delete, frame: Frame) -> None:
    for target in tree.targets:
        if isinstance(target, Select):
            owner = evaluator.evaluate(target.value, frame)
            frame.position = target.range
            as_value(owner).delete_attribute(evaluator, target.selector.name)
        elif isinstance(target, Subscript):
            owner = evaluator.evaluate(target.value, frame)
            key = subscript_key(evaluator, target, frame)
            frame.position = target.range
            as_value(owner).delete_item(evaluator, key)
        elif isinstance(target, Var):
            frame.position = target.range
            if frame.locals.pop(target.name.name, frame) is frame:
                raise ConstructionError("NameError", f"name '{target.name.name}' is not defined")


def _definition(evaluator: Evaluator, tree: Def, frame: Frame) -> None:
    function = function_object(evaluator, tree, tree.name.name, frame)
    frame.locals[tree.name.name] = decorated(evaluator, tree, function, frame)


def decorated(evaluator: Evaluator, tree: Def | ClassDef, value: Any, frame: Frame) -> Any:
    """What the decorators of a definition make of it, the innermost first."""
    for decorator in reversed(tree.decorators):
        function = evaluator.evaluate(decorator, frame)
        frame.position = decorator.range
        value = evaluator.call(function, [value])
    return value


def _class(evaluator: Evaluator, tree: ClassDef, frame: Frame) -> None:
    made = class_bodies.make_class(evaluator, tree, frame)
    frame.locals[tree.name.name] = decorated(evaluator, tree, made, frame)


def _import(_evaluator: Evaluator, tree: Import, frame: Frame) -> None:
    for alias in tree.names:
        frame.position = tree.range
        path = alias.name.name if alias.asname is not None else alias.bound_name
        frame.locals[alias.bound_name] = frame.scope.imported(ImportedModule(path), tree.range)


def _import_from(_evaluator: Evaluator, tree: ImportFrom, frame: Frame) -> None:
    module = ImportedModule(tree.module.name, tree.level)
    frame.position = tree.range
    for alias in tree.names:
        value = frame.scope.imported_name(module, alias.name.name, tree.range)
        frame.locals[alias.bound_name] = value


def _unsupported(_evaluator: Evaluator, tree: UnsupportedStmt, _frame: Frame) -> None:
    raise tree.error


def _broken(_evaluator: Evaluator, _tree: BrokenStmt, _frame: Frame) -> None:
    raise FollowUp


STATEMENTS: dict[type, Callable[..., Signal | None]] = {
    Assert: _assert,
    Assign: _assign,
    AugAssign: _augmented,
    Break: lambda _evaluator, _tree, _frame: _BREAK,
    BrokenStmt: _broken,
    ClassDef: _class,
    Continue: lambda _evaluator, _tree, _frame: _CONTINUE,
    Def: _definition,
    Delete: _delete,
    ExprStmt: _expression,
    For: _for,
    If: _if,
    Import: _import,
    ImportFrom: _import_from,
    Pass: lambda _evaluator, _tree, _frame: None,
    Raise: _raise,
    Return: _return,
    UnsupportedStmt: _unsupported,
    While: _while,
    With: _with,
}
