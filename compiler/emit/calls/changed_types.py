"""What to do about a variable that is given a value of another type than it has."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from tsc.compiler.emit.calls.missing_annotations import missing_annotation
from tsc.compiler.ir import Block, Node, Value, constant_value, prim
from tsc.compiler.types import (
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    TENSOR,
    DictType,
    ListType,
    OptionalType,
    Type,
)

_NUMBERS = (INT, FLOAT, COMPLEX)
_MOST_NODES = 500  # of a block among which the first assignment is looked for
_ANOTHER_NAME = "a variable keeps its type: use another name for the new value"


def changed_type_hint(name: str, before: Value, now: Type, block: Block | None) -> str:
    """What to write; ``block`` is the one in which the variable is set first, if that is known."""
    missing = missing_annotation(before, now)
    if missing is not None and now != NONE:
        return missing.hint
    first = None if block is None else _first_value(name, block.nodes())
    was = before.type
    if was in _NUMBERS and now in _NUMBERS:
        return _hint_for_numbers(name, was, now, first)
    if was in _NUMBERS and now.is_subtype_of(TENSOR):
        literal = _literal(first)
        start = "..." if literal is None else repr(literal)
        return f"start with a tensor, as in `{name} = torch.tensor({start})`"
    if NONE in (was, now) or isinstance(was, OptionalType):
        return _hint_for_none(name, was, now, first)
    if _is_empty_by_default(was) and type(was) is type(now):
        empty = "[]" if isinstance(now, ListType) else "{}"
        return (
            "what is empty holds Tensors unless it is annotated, as in "
            f"`{name}: {now.annotation} = {empty}`"
        )
    return _ANOTHER_NAME


def _hint_for_numbers(name: str, was: Type, now: Type, first: Value | None) -> str:
    if _NUMBERS.index(was) > _NUMBERS.index(now):
        return f"convert the new value, as in `{name} = {was.annotation}(...)`"
    if _is_parameter(first):
        return f"annotate the parameter as `{name}: {now.annotation}`"
    literal = _literal(first)
    if literal is None:
        return f"make it a {now.annotation} from the start, with {now.annotation}(...)"
    value = complex(literal) if now == COMPLEX else float(literal)
    return f"start with a {now.annotation}, as in `{name} = {value!r}`"


def _hint_for_none(name: str, was: Type, now: Type, first: Value | None) -> str:
    kinds = [each for each in (was, now) if each != NONE]
    if len(kinds) != 1 or isinstance(was, OptionalType):
        return _ANOTHER_NAME
    annotation = f"Optional[{kinds[0].annotation}]"
    if _is_parameter(first):
        return f"annotate the parameter as `{name}: {annotation}`"
    value = "None" if was == NONE else "..."
    return f"annotate the first assignment, as in `{name}: {annotation} = {value}`"


def _is_empty_by_default(type: Type) -> bool:
    """Whether it is the type of ``[]`` or ``{}`` without an annotation."""
    is_list = isinstance(type, ListType) and type.element == TENSOR
    return is_list or (isinstance(type, DictType) and type.value == TENSOR)


def _first_value(name: str, nodes: Iterable[Node]) -> Value | None:
    """What a variable is set to first in a block, in the form with loads and stores."""
    for node in islice(nodes, _MOST_NODES):
        if node.kind == prim.Store and node.string_attribute("name") == name:
            return node.inputs[0]
    return None


def _is_parameter(value: Value | None) -> bool:
    return value is not None and value.node.kind == prim.Param


def _literal(value: Value | None) -> int | float | None:
    """The number that a value is known to be."""
    known = None if value is None else constant_value(value)
    return known if isinstance(known, int | float) and not isinstance(known, bool) else None
