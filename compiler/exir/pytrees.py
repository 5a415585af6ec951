"""How arguments and results are nested: flattened for a graph, which has a flat list of each, and built up again.

Containers are tuples, lists, queues, dicts of all kinds and named tuples; None is a leaf, and so is all else. Of
classes that were registered with PyTorch, such as data classes, only the parts are known: an object that has them as
attributes, a tuple or a dict of them is taken, and a named tuple, or a tuple, is given.
The text form is that of ``torch.utils._pytree``.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from textwrap import indent
from typing import Any, Final, cast

from tsc.compiler.source import Error

_MOST_NESTED: Final = 200
DICTS: Final = ("dict", "OrderedDict", "defaultdict")
"""Kinds of containers whose context are keys."""
_FACTORIES: Final = {
    f"builtins.{each.__name__}": each
    for each in (bool, complex, dict, float, int, list, set, str, tuple)
}
"""What makes the values that a dict has not, by name: of other programs' functions only the names are known."""


class TreeError(Error):
    """Arguments that are nested otherwise than a program expects, or a text that describes no tree."""


@dataclass(frozen=True, slots=True)
class TreeSpec:
    """A leaf (`kind` is None) or a container.

    Its kind is "tuple", "Size", "list", "deque", "dict", "OrderedDict", "defaultdict", "namedtuple" or "registered".
    `context` are the keys of a dict, the greatest length of a queue, or the name (that of its module and its own, or
    its own) and the fields of a named tuple; of a registered class the name under which it is, the fields if they are
    told, the text that its program has for it, and the fields that are None and no leaves.
    """

    kind: str | None = None
    context: tuple[Any, ...] = ()
    children: tuple[TreeSpec, ...] = ()
    factory: str = ""
    """Of a defaultdict, by module and name: "builtins.list"."""

    @property
    def num_leaves(self) -> int:
        return 1 if self.kind is None else sum(each.num_leaves for each in self.children)

    def paths(self) -> Iterator[str]:
        """How Python reads each leaf of a tree: ``['k'][0]``."""
        if self.kind is None:
            yield ""
            return
        keys = self.context if self.kind in DICTS else range(len(self.children))
        for key, child in zip(keys, self.children, strict=True):
            yield from (f"[{key!r}]{path}" for path in child.paths())

    def flatten(self, tree: Any) -> list[Any]:
        """The leaves of a tree of this form. Raises `TreeError`, which says where it is of another one."""
        leaves: list[Any] = []
        if _puts_leaves(tree, self, leaves):
            return leaves
        return list(_leaves(tree, self, ""))

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """The tree with these leaves. Raises `TreeError` for too few or too many."""
        given = list(leaves)
        if len(given) != self.num_leaves:
            raise TreeError(f"expected {self.num_leaves} leaves, found {len(given)}")
        return _built(self, iter(given))

    def __str__(self) -> str:
        """``TreeSpec(tuple, None, [*, *])``, each child on a line of its own, as PyTorch writes it."""
        if self.kind is None:
            return "*"
        children = ",\n".join(str(each) for each in self.children)
        kind = _own_name(self.context[0]) if self.kind == "registered" else self.kind
        head = f"TreeSpec({kind}, {self._context_text()}, ["
        return head + indent(children, "  ").strip() + "])"

    def _context_text(self) -> str:
        if self.kind == "defaultdict":
            return f"[{_FACTORIES.get(self.factory, self.factory or None)}, {list(self.context)}]"
        if self.kind in DICTS:
            return repr(list(self.context))
        if self.kind == "deque":
            return str(self.context[0])
        if self.kind == "registered":
            return self.context[2]
        return _own_name(self.context[0]) if self.kind == "namedtuple" else "None"


LEAF: Final = TreeSpec()


def tree_flatten(tree: Any) -> tuple[list[Any], TreeSpec]:
    """The leaves of a tree, and its form. Raises `TreeError` where it is nested too deep."""
    spec = _spec_of(tree, 0)
    return spec.flatten(tree), spec


def _spec_of(tree: Any, depth: int) -> TreeSpec:
    if depth > _MOST_NESTED:
        raise TreeError(f"containers are nested more than {_MOST_NESTED} deep")
    kind, context = _kind_of(tree)
    parts: Iterable[Any] = () if kind is None else tree
    if isinstance(tree, dict):
        parts = cast("dict[Any, Any]", tree).values()
    factory = _factory_name(cast("Any", tree)) if kind == "defaultdict" else ""
    children = tuple([_spec_of(each, depth + 1) for each in parts])
    return TreeSpec(kind, context, children, factory)


def _factory_name(tree: Any) -> str:
    made = tree.default_factory
    return "" if made is None else f"{made.__module__}.{made.__name__}"


def _kind_of(tree: Any) -> tuple[str | None, tuple[Any, ...]]:
    found = cast("type[Any]", type(tree))
    if found in (tuple, list):
        return found.__name__, ()
    if found in (dict, OrderedDict, defaultdict):
        return found.__name__, tuple(tree)
    if found is deque:
        return "deque", (tree.maxlen,)
    fields: tuple[str, ...] | None = getattr(found, "_fields", None)
    if issubclass(found, tuple) and fields is not None:
        return "namedtuple", (found.__name__, fields)
    return None, ()


def _puts_leaves(tree: Any, spec: TreeSpec, leaves: list[Any]) -> bool:
    """Append the leaves of a tree whose containers are those of a form; whether they are, to the last one.

    The ways in which they may differ, and what differs, is for `_leaves` to find out, which takes longer.
    """
    kind = cast("type[Any]", type(tree))
    children = spec.children
    if kind is tuple or kind is list:
        if kind.__name__ != spec.kind or len(tree) != len(children):
            return False
        parts: Iterable[Any] = tree
    elif kind is dict and spec.kind == "dict" and tuple(tree) == spec.context:
        parts = tree.values()
    else:
        return False
    for part, child in zip(parts, children):
        if child.kind is None:
            leaves.append(part)
        elif not _puts_leaves(part, child, leaves):
            return False
    return True


def _leaves(tree: Any, spec: TreeSpec, place: str) -> Iterator[Any]:
    if spec.kind is None:
        yield tree
        return
    if spec.kind == "registered":
        yield from _registered_leaves(tree, spec, place)
        return
    kind, context = _kind_of(tree)
    if _taken_for(kind) != _taken_for(spec.kind):
        raise TreeError(f"expected a {spec.kind}{_at(place)}, found {kind or type(tree).__name__}")
    if _keys(kind, context) not in (None, _keys(spec.kind, spec.context)):
        raise TreeError(f"expected the keys {spec.context}{_at(place)}, found {context}")
    if len(tree) != len(spec.children):
        raise TreeError(f"expected {len(spec.children)} elements{_at(place)}, found {len(tree)}")
    keys = spec.context if isinstance(tree, dict) else range(len(tree))
    for key, child in zip(keys, spec.children, strict=True):
        yield from _leaves(tree[key], child, f"{place}[{key!r}]")


def _registered_leaves(tree: Any, spec: TreeSpec, place: str) -> Iterator[Any]:
    name, fields, _, missing = spec.context
    parts = _registered_parts(tree, fields, missing)
    if parts is None or len(parts) != len(spec.children):
        wanted = ", ".join(fields) or f"its {len(spec.children)} parts"
        raise TreeError(
            f"expected a {name}{_at(place)}, found {type(tree).__name__}: give a tuple of {wanted}"
        )
    for number, (part, child) in enumerate(zip(parts, spec.children, strict=True)):
        yield from _leaves(part, child, f"{place}[{number}]")


def _registered_parts(
    tree: Any, fields: Sequence[str], missing: Sequence[str]
) -> Sequence[Any] | None:
    """Of a tuple or list all; by name those of a dict, or of an object that has such attributes.

    What is `missing` may be there, and is no part.
    """
    if isinstance(tree, tuple | list):
        return cast("Sequence[Any]", tree)
    if not fields:
        return None
    if isinstance(tree, dict):
        known = cast("dict[str, Any]", tree)
        fits = set(fields) <= set(known) <= {*fields, *missing}
        return [known[each] for each in fields] if fits else None
    has_all = all(hasattr(tree, each) for each in fields)
    return [getattr(tree, each) for each in fields] if has_all else None


def _taken_for(kind: str | None) -> str | None:
    """Containers of one form are taken for each other where arguments are given."""
    return "dict" if kind in DICTS else _ALIKE.get(kind or "", kind)


_ALIKE: Final = {"Size": "tuple", "namedtuple": "tuple", "deque": "list"}


def _keys(kind: str | None, context: tuple[Any, ...]) -> Any:
    """What of a context has to agree: neither the order of keys nor the name of a named tuple."""
    if kind == "namedtuple":
        return context[1]
    return set(context) if kind in DICTS else None


def _at(place: str) -> str:
    return f" at {place}" if place else ""


def _built(spec: TreeSpec, leaves: Iterator[Any]) -> Any:
    if spec.kind is None:
        return next(leaves)
    parts = [_built(each, leaves) for each in spec.children]
    if spec.kind == "defaultdict":
        factory = _FACTORIES.get(spec.factory)
        return defaultdict(factory, zip(spec.context, parts, strict=True))
    return _BUILDERS[spec.kind](spec.context, parts)


def _named_tuple(context: tuple[Any, ...], parts: list[Any]) -> Any:
    return _named_tuple_class(*context)(*parts)


def _registered(context: tuple[Any, ...], parts: list[Any]) -> Any:
    """A named tuple where the fields are told, a tuple elsewhere: there is no class."""
    name, fields, _, missing = context
    if not fields and not missing:
        return tuple(parts)
    return _named_tuple((name, (*fields, *missing)), [*parts, *([None] * len(missing))])


@cache
def _named_tuple_class(name: str, fields: tuple[str, ...]) -> Any:
    """A class of the same form: that of the program is not known."""
    return namedtuple(_own_name(name), fields)  # type: ignore[misc]


def _own_name(name: str) -> str:
    """Without that of the module."""
    return name.rpartition(".")[2]


_BUILDERS: Final[dict[str, Callable[[tuple[Any, ...], list[Any]], Any]]] = {
    "tuple": lambda context, parts: tuple(parts),
    "Size": lambda context, parts: tuple(parts),
    "list": lambda context, parts: parts,
    "deque": lambda context, parts: deque(parts, context[0]),
    "dict": lambda context, parts: dict(zip(context, parts, strict=True)),
    "OrderedDict": lambda context, parts: OrderedDict(zip(context, parts, strict=True)),
    "namedtuple": _named_tuple,
    "registered": _registered,
}
