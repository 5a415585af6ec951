"""Evaluation of expressions: one function for each class of trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tsc.compiler.frontend.tree_views import (
    Apply,
    Attribute,
    BinOp,
    CompFor,
    Const,
    DictComp,
    DictLiteral,
    Dots,
    DoubleStarred,
    Expr,
    FalseLiteral,
    GeneratorExp,
    Lambda,
    ListComp,
    ListLiteral,
    NoneLiteral,
    Select,
    SetComp,
    SetLiteral,
    SliceExpr,
    Starred,
    StringLiteral,
    Subscript,
    TernaryIf,
    TrueLiteral,
    TupleLiteral,
    UnaryOp,
    UnsupportedExpr,
    Var,
)
from tsc.compiler.source import CompileError, codes
from tsc.runtime.construction import operations
from tsc.runtime.construction.assignment import assign
from tsc.runtime.construction.format_fields import format_string
from tsc.runtime.construction.hashing import all_hashable, hashable
from tsc.runtime.construction.iteration import Elements
from tsc.runtime.construction.subscripts import elements, subscript_key
from tsc.runtime.construction.values.classes import SuperObject
from tsc.runtime.construction.values.functions import FunctionObject, function_object
from tsc.runtime.construction.values.operators import COMPARISONS
from tsc.runtime.construction.values.protocol import MISSING, Evaluator, Frame


def _constant(value: object) -> Callable[..., object]:
    return lambda _evaluator, _tree, _frame: value


def _variable(evaluator: Evaluator, tree: Var, frame: Frame) -> Any:
    name = tree.name.name
    found = look_up(frame, name)
    if found is MISSING:
        frame.position = tree.range
        found = frame.scope.value_of(name, tree.range)
    return found


def look_up(frame: Frame | None, name: str) -> Any:
    """The variable of that name in a frame or those around it, or `MISSING`."""
    while frame is not None:
        if name in frame.locals:
            return frame.locals[name]
        frame = frame.outer
    return MISSING


def _select(evaluator: Evaluator, tree: Select, frame: Frame) -> Any:
    value = evaluator.evaluate(tree.value, frame)
    frame.position = tree.range
    return evaluator.get_attribute(value, tree.selector.name)


def _apply(evaluator: Evaluator, tree: Apply, frame: Frame) -> Any:
    if tree.callee.range is tree.range and isinstance(tree.callee, Select):
        return format_string(evaluator, tree, tree.callee.value, frame)
    if isinstance(tree.callee, Var) and tree.callee.name.name == "super" and not tree.inputs:
        return _super(tree, frame)
    function = evaluator.evaluate(tree.callee, frame)
    arguments, keywords = call_arguments(evaluator, tree, frame)
    frame.position = tree.range
    return evaluator.call(function, arguments, keywords)


def _super(tree: Apply, frame: Frame) -> SuperObject:
    """``super()`` without arguments: the class around the method, and its first argument."""
    within: Frame | None = frame
    while within is not None:
        if within.owner is not None:
            return SuperObject(within.owner, within.receiver)
        within = within.outer
    frame.position = tree.range
    raise RuntimeError("super(): no arguments")


def call_arguments(
    evaluator: Evaluator, tree: Apply, frame: Frame
) -> tuple[list[Any], dict[str, Any]]:
    arguments = elements(
        evaluator, [each for each in tree.inputs if not isinstance(each, DoubleStarred)], frame
    )
    keywords: dict[str, Any] = {}
    for each in _named(tree):
        if isinstance(each, DoubleStarred):
            _expand(keywords, evaluator.evaluate(each.expr, frame))
        else:
            _expand(keywords, {each.name.name: evaluator.evaluate(each.value, frame)})
    return arguments, keywords


def _named(tree: Apply) -> list[DoubleStarred | Attribute]:
    """Keywords and mappings, in the order of the text: that of a ``**keywords`` parameter."""
    mappings = [each for each in tree.inputs if isinstance(each, DoubleStarred)]
    if not mappings:
        return list(tree.attributes)
    return sorted((*mappings, *tree.attributes), key=lambda each: each.range.start)


def _expand(keywords: dict[str, Any], mapping: Any) -> None:
    if not isinstance(mapping, dict):
        raise TypeError("the argument after ** must be a mapping")
    for name, value in mapping.items():
        if not isinstance(name, str):
            raise TypeError("keywords must be strings")
        if name in keywords:
            raise TypeError(f"got multiple values for keyword argument '{name}'")
        keywords[name] = value


def _binary(evaluator: Evaluator, tree: BinOp, frame: Frame) -> Any:
    """A chain of operators may be long: its left sides are walked with a loop."""
    if tree.operator in ("and", "or"):
        return _logical(evaluator, tree, frame)
    pending = [tree]
    left: Expr = tree.lhs
    while isinstance(left, BinOp) and left.operator not in ("and", "or"):
        pending.append(left)
        left = left.lhs
    value = evaluator.evaluate(left, frame)
    while pending:
        node = pending.pop()
        other = evaluator.evaluate(node.rhs, frame)
        frame.position = node.range
        value = operations.binary(evaluator, node.operator, value, other)
    return value


def _logical(evaluator: Evaluator, tree: BinOp, frame: Frame) -> Any:
    pending: list[BinOp] = [tree]
    left: Expr = tree.lhs
    while isinstance(left, BinOp) and left.operator in ("and", "or"):
        pending.append(left)
        left = left.lhs
    value, shared = _compared(evaluator, left, frame, None)
    while pending:
        node = pending.pop()
        if evaluator.truth(value) == (node.operator == "and"):
            value, shared = _compared(evaluator, node.rhs, frame, shared)
    return value


def _compared(
    evaluator: Evaluator, tree: Expr, frame: Frame, shared: tuple[Expr, Any] | None
) -> tuple[Any, tuple[Expr, Any] | None]:
    """The value of a part of ``and``, and its right operand with the value of that.

    In ``a < b < c`` the tree of ``b`` is in both comparisons, and evaluated once.
    """
    inner = tree.expr if isinstance(tree, UnaryOp) and tree.operator == "not" else tree
    if not isinstance(inner, BinOp) or inner.operator not in COMPARISONS:
        return evaluator.evaluate(tree, frame), None
    if shared is not None and inner.lhs is shared[0]:
        left = shared[1]
    else:
        left = evaluator.evaluate(inner.lhs, frame)
    right = evaluator.evaluate(inner.rhs, frame)
    frame.position = tree.range
    value = operations.binary(evaluator, inner.operator, left, right)
    if inner is not tree:
        value = not evaluator.truth(value)
    return value, (inner.rhs, right)


def _unary(evaluator: Evaluator, tree: UnaryOp, frame: Frame) -> Any:
    value = evaluator.evaluate(tree.expr, frame)
    frame.position = tree.range
    return operations.unary(evaluator, tree.operator, value)


def _ternary(evaluator: Evaluator, tree: TernaryIf, frame: Frame) -> Any:
    chosen = evaluator.truth(evaluator.evaluate(tree.cond, frame))
    return evaluator.evaluate(tree.true_expr if chosen else tree.false_expr, frame)


def _list(evaluator: Evaluator, tree: ListLiteral, frame: Frame) -> list[Any]:
    return elements(evaluator, tree.inputs, frame)


def _tuple(evaluator: Evaluator, tree: TupleLiteral, frame: Frame) -> tuple[Any, ...]:
    return tuple(elements(evaluator, tree.inputs, frame))


def _set(evaluator: Evaluator, tree: SetLiteral, frame: Frame) -> set[Any]:
    return set(all_hashable(elements(evaluator, tree.inputs, frame)))


def _dict(evaluator: Evaluator, tree: DictLiteral, frame: Frame) -> dict[Any, Any]:
    result: dict[Any, Any] = {}
    for key, value in zip(tree.key_inputs, tree.value_inputs):
        if isinstance(key, DoubleStarred):
            result.update(evaluator.evaluate(key.expr, frame))
        else:
            result[hashable(evaluator.evaluate(key, frame))] = evaluator.evaluate(value, frame)
    return result


def _subscript(evaluator: Evaluator, tree: Subscript, frame: Frame) -> Any:
    value = evaluator.evaluate(tree.value, frame)
    key = subscript_key(evaluator, tree, frame)
    frame.position = tree.range
    return evaluator.get_item(value, key)


def _slice(evaluator: Evaluator, tree: SliceExpr, frame: Frame) -> slice:
    bounds = (tree.start, tree.end, tree.step)
    return slice(*(None if each is None else evaluator.evaluate(each, frame) for each in bounds))


def _lambda(evaluator: Evaluator, tree: Lambda, frame: Frame) -> FunctionObject:
    return function_object(evaluator, tree, "<lambda>", frame)


def _comprehended(
    evaluator: Evaluator, clauses: Any, frame: Frame, result: Callable[[Frame], Any]
) -> Iterator[Any]:
    """What `result` gives at each turn of the clauses, in a frame of their own."""
    inner = Frame(frame.scope, frame, position=frame.position)
    first = evaluator.evaluate(clauses[0].iter, frame)
    turns = _placed(_turns(evaluator, clauses, 0, first, inner, result), inner, frame)
    return Elements(evaluator, turns, first)


def _placed(turns: Iterator[Any], inner: Frame, frame: Frame) -> Iterator[Any]:
    """The same, but an error leaves its place with the function around."""
    try:
        yield from turns
    except Exception:
        frame.position = inner.position
        raise


def _turns(
    evaluator: Evaluator,
    clauses: list[CompFor],
    index: int,
    iterable: Any,
    frame: Frame,
    result: Callable[[Frame], Any],
) -> Iterator[Any]:
    clause = clauses[index]
    is_last = index + 1 == len(clauses)
    for item in evaluator.iterate(iterable):
        assign(evaluator, clause.target, item, frame)
        if not all(evaluator.truth(evaluator.evaluate(c, frame)) for c in clause.conditions):
            continue
        if is_last:
            yield result(frame)
        else:
            following = evaluator.evaluate(clauses[index + 1].iter, frame)
            yield from _turns(evaluator, clauses, index + 1, following, frame, result)


def _generator(evaluator: Evaluator, tree: ListComp, frame: Frame) -> Iterator[Any]:
    return _comprehended(
        evaluator, tree.clauses, frame, lambda inner: evaluator.evaluate(tree.elt, inner)
    )


def _list_comprehension(evaluator: Evaluator, tree: ListComp, frame: Frame) -> list[Any]:
    return list(_generator(evaluator, tree, frame))


def _set_comprehension(evaluator: Evaluator, tree: SetComp, frame: Frame) -> set[Any]:
    return set(all_hashable(_generator(evaluator, tree, frame)))


def _dict_comprehension(evaluator: Evaluator, tree: DictComp, frame: Frame) -> dict[Any, Any]:
    def entry(inner: Frame) -> tuple[Any, Any]:
        return hashable(evaluator.evaluate(tree.key, inner)), evaluator.evaluate(tree.value, inner)

    return dict(_comprehended(evaluator, tree.clauses, frame, entry))


def _unsupported(_evaluator: Evaluator, tree: UnsupportedExpr, _frame: Frame) -> Any:
    raise tree.error


def _misplaced(_evaluator: Evaluator, tree: Expr, _frame: Frame) -> Any:
    raise CompileError(
        "a starred expression is not possible here", tree.range, code=codes.MISPLACED_STAR
    )


EXPRESSIONS: dict[type, Callable[..., Any]] = {
    Apply: _apply,
    BinOp: _binary,
    Const: lambda _evaluator, tree, _frame: tree.value,
    DictComp: _dict_comprehension,
    DictLiteral: _dict,
    Dots: _constant(Ellipsis),
    DoubleStarred: _misplaced,
    FalseLiteral: _constant(False),
    GeneratorExp: _generator,
    Lambda: _lambda,
    ListComp: _list_comprehension,
    ListLiteral: _list,
    NoneLiteral: _constant(None),
    Select: _select,
    SetComp: _set_comprehension,
    SetLiteral: _set,
    SliceExpr: _slice,
    Starred: _misplaced,
    StringLiteral: lambda _evaluator, tree, _frame: tree.text,
    Subscript: _subscript,
    TernaryIf: _ternary,
    TrueLiteral: _constant(True),
    TupleLiteral: _tuple,
    UnaryOp: _unary,
    UnsupportedExpr: _unsupported,
    Var: _variable,
}
