"""Nested arguments and results as values of TorchScript: taken apart into leaves, and built of them.

TorchScript has lists and dicts of one type of elements only; what is none of them is refused by its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tsc.compiler.exir.pytrees import DICTS, TreeSpec
from tsc.compiler.exir.translation.scope import Scope, TranslationError
from tsc.compiler.exir.translation.size_functions import assert_true
from tsc.compiler.ir import Value, prim
from tsc.compiler.types import INT, STRING, DictType, ListType, TupleType, Type

_LISTS: Final = ("list", "deque")


def nested_type(spec: TreeSpec, leaves: Iterator[Type], place: str) -> Type:
    """The type of a tree, of which `leaves` are the types of the leaves that are left.

    Raises `TranslationError`, which says where, for a container that TorchScript has no type for.
    """
    if spec.kind is None:
        return next(leaves)
    parts = [nested_type(each, leaves, f"{place}[…]") for each in spec.children]
    if spec.kind in DICTS:
        return DictType(_key_type(spec, place), _only(parts, place))
    if spec.kind in _LISTS:
        return ListType(_only(parts, place))
    if spec.kind == "namedtuple":
        name, fields = spec.context
        own = name.rpartition(".")[2]
        return TupleType(tuple(parts), f"__torch__.{own}", tuple(fields))
    return TupleType(tuple(parts))


def _only(types: Sequence[Type], place: str) -> Type:
    if not types:
        raise TranslationError(f"{place} is empty: TorchScript does not know what it is one of")
    if any(each != types[0] for each in types):
        raise TranslationError(
            f"{place} has elements of several types ({', '.join(sorted({str(e) for e in types}))}), and "
            "TorchScript has no such container: give a tuple"
        )
    return types[0]


def _key_type(spec: TreeSpec, place: str) -> Type:
    types: set[type] = {type(each) for each in spec.context}
    if types == {str}:
        return STRING
    if types == {int}:
        return INT
    raise TranslationError(f"{place} has keys that are neither all texts nor all ints")


def taken_apart(scope: Scope, spec: TreeSpec, value: Value, place: str) -> Iterator[Value]:
    """The leaves of an argument, after a check that it has as many elements as it should."""
    if spec.kind is None:
        yield value
        return
    for child, part in zip(spec.children, _parts(scope, spec, value, place)):
        yield from taken_apart(scope, child, part, f"{place}[…]")


def _parts(scope: Scope, spec: TreeSpec, value: Value, place: str) -> list[Value]:
    if isinstance(value.type, TupleType):
        node = scope.graph.create(prim.TupleUnpack, [value], len(spec.children))
        unpacked = scope.graph.insert_node(node)
        for output, each in zip(unpacked.outputs, value.type.elements, strict=True):
            output.set_type(each)
        return list(unpacked.outputs)
    count = scope.insert("aten::len", value)
    fits = scope.insert("aten::eq", count, len(spec.children))
    assert_true(scope, fits, f"{place} is to have {len(spec.children)} elements")
    keys: Sequence[Any] = spec.context if spec.kind in DICTS else range(len(spec.children))
    return [scope.insert("aten::__getitem__", value, each) for each in keys]


def built(scope: Scope, spec: TreeSpec, leaves: Iterator[Value], place: str) -> Value:
    """The tree of values. Raises `TranslationError` as `nested_type` does."""
    if spec.kind is None:
        return next(leaves)
    parts = [built(scope, each, leaves, f"{place}[…]") for each in spec.children]
    type = _container_type(spec, [each.type for each in parts], place)
    kind = prim.TupleConstruct
    if isinstance(type, ListType):
        kind = prim.ListConstruct
    elif isinstance(type, DictType):
        kind = prim.DictConstruct
        keys = [scope.graph.insert_constant(each) for each in spec.context]
        parts = [each for pair in zip(keys, parts, strict=True) for each in pair]
    return scope.graph.insert_node(scope.graph.create(kind, parts)).output.set_type(type)


def _container_type(spec: TreeSpec, types: list[Type], place: str) -> Type:
    flat = TreeSpec(spec.kind, spec.context, tuple([TreeSpec()] * len(types)))
    return nested_type(flat, iter(types), place)
