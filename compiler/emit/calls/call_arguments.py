"""The arguments of a call as they are written, emitted one by one."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.emit.protocols import Emitter, GivenArgument, NamedValue, SugaredValue
from tsc.compiler.frontend.tree_views import Apply, Attribute, DoubleStarred, Expr, Starred
from tsc.compiler.source import CompileError, codes
from tsc.compiler.types import Type


def emit_arguments(
    emitter: Emitter, trees: Sequence[Expr], type_hint: Type | None = None
) -> list[NamedValue]:
    """Emit positional arguments, where ``*tuple`` stands for its elements."""
    arguments: list[NamedValue] = []
    for tree in trees:
        if isinstance(tree, Starred):
            elements = _emit_starred(emitter, tree)
            arguments += [
                NamedValue(element.as_value(tree.range, emitter), tree.range)
                for element in elements
            ]
        else:
            value = emitter.emit_expression(tree, type_hint)
            arguments.append(NamedValue(value, tree.range))
    return arguments


def refuse_keyword_expansion(trees: Sequence[Expr]) -> None:
    for tree in trees:
        if isinstance(tree, DoubleStarred):
            raise CompileError(
                "keyword-arg expansion is not supported",
                tree.expr.range,
                code=codes.NO_KEYWORD_EXPANSION,
                hint="pass each argument by its name",
            )


def emit_given_arguments(emitter: Emitter, tree: Apply) -> list[GivenArgument]:
    """Emit all arguments of a call to something that may be given functions."""
    given: list[GivenArgument] = []
    for each in tree.inputs:
        if isinstance(each, Starred):
            elements = _emit_starred(emitter, each)
            given += [GivenArgument(element, each.range) for element in elements]
        else:
            given.append(GivenArgument(emitter.emit_sugared_expression(each, 1), each.range))
    for attribute in tree.attributes:
        sugared = emitter.emit_sugared_expression(attribute.value, 1)
        given.append(GivenArgument(sugared, attribute.range, attribute.name.name))
    return given


def _emit_starred(emitter: Emitter, tree: Starred) -> list[SugaredValue]:
    return emitter.emit_sugared_expression(tree.expr, 1).as_tuple(tree.range, emitter)


def emit_keywords(emitter: Emitter, trees: Sequence[Attribute]) -> list[NamedValue]:
    """Emit the ``name=value`` arguments of a call."""
    return [
        NamedValue(emitter.emit_expression(tree.value), tree.range, tree.name.name)
        for tree in trees
    ]


def check_argument_count(tree: Apply, least: int, most: int | None = None) -> None:
    """Refuse a call of a special form with keywords or the wrong number of arguments."""
    name = tree.callee.range.text
    if tree.attributes:
        raise CompileError(
            f"{name} accepts no keyword arguments",
            tree.attributes[0].range,
            code=codes.WRONG_SPECIAL_CALL,
        )
    found = len(tree.inputs)
    if most is None and found != least:
        raise CompileError(
            f"{name} expected exactly {least} arguments but found {found}",
            tree.range,
            code=codes.WRONG_SPECIAL_CALL,
        )
    if most is not None and not least <= found <= most:
        raise CompileError(
            f"{name} takes a number of arguments between {least} and {most} but found {found}",
            tree.range,
            code=codes.WRONG_SPECIAL_CALL,
        )
