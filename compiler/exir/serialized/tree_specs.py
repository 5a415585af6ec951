"""How arguments and results are nested, as ``torch.utils._pytree`` writes it in JSON: read and written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from keyword import iskeyword
from typing import Any, Final

from tsc.compiler.exir.pytrees import LEAF, TreeSpec
from tsc.compiler.exir.serialized.json_values import JsonObject, SerializedProgramError, array

_VERSION: Final = 1
_MOST_NESTED: Final = 200
_KINDS: Final = {
    "builtins.tuple": "tuple",
    "builtins.list": "list",
    "builtins.dict": "dict",
    "collections.OrderedDict": "OrderedDict",
    "collections.namedtuple": "namedtuple",
    "torch.Size": "Size",
}


def read_tree_spec(text: str, place: str, fields: Mapping[str, Sequence[str]]) -> TreeSpec:
    """The form that a text tells; `fields` are those of named tuples."""
    try:
        value = array(json.loads(text), place)
    except (ValueError, RecursionError):
        raise SerializedProgramError(f"{place} is no JSON") from None
    if len(value) != 2 or value[0] != _VERSION:
        raise SerializedProgramError(f"{place} is no tree of version {_VERSION}")
    return _spec(JsonObject.of(value[1], place), fields, 0)


def _spec(value: JsonObject, fields: Mapping[str, Sequence[str]], depth: int) -> TreeSpec:
    if depth > _MOST_NESTED:
        raise SerializedProgramError(f"{value.place}: containers are nested too deep")
    if not value.has("type"):
        return LEAF
    name = value.text("type")
    children = tuple([_spec(each, fields, depth + 1) for each in value.objects("children_spec")])
    if name not in _KINDS:
        return TreeSpec("registered", _registered(name, value, len(children)), children)
    context = _context(_KINDS[name], value, fields)
    keys = context[1] if _KINDS[name] == "namedtuple" else context
    if keys and len(keys) != len(children):
        raise SerializedProgramError(f"{value.place} has not as many elements as keys")
    return TreeSpec(_KINDS[name], context, children)


def _registered(name: str, value: JsonObject, count: int) -> tuple[str, tuple[str, ...], str]:
    """The name, the fields, and the text of the context: that of a data class are its fields, and which are None."""
    text, place = value.text("context"), f"{value.place}.context"
    try:
        told: Any = json.loads(text)
    except (ValueError, RecursionError):
        return name, (), text  # the class writes its context as it likes
    match told:
        case [[*fields], []] if len(fields) == count and all(type(e) is str for e in fields):
            return name, _named_tuple(name, tuple(fields), place)[1], text
        case _:
            return name, (), text


def _context(kind: str, value: JsonObject, fields: Mapping[str, Sequence[str]]) -> tuple[Any, ...]:
    place = f"{value.place}.context"
    if kind in ("tuple", "list", "Size"):
        return ()
    text = value.text("context")
    if kind == "namedtuple":
        name = text.strip('"')
        if name not in fields:
            raise SerializedProgramError(f"{place}: nothing tells the fields of {name}")
        return _named_tuple(name, tuple(fields[name]), place)
    try:
        keys = array(json.loads(text), place)
    except (ValueError, RecursionError):
        raise SerializedProgramError(f"{place} is no JSON") from None
    for key in keys:
        if type(key) not in (str, int, float, bool):
            raise SerializedProgramError(f"{place}: a key is to be a text or a number")
    return tuple(keys)


def _named_tuple(name: str, fields: tuple[str, ...], place: str) -> tuple[str, tuple[str, ...]]:
    """A name and fields that Python can make a class of."""
    words = (name.rpartition(".")[2], *fields)
    good = [each for each in words if each.isidentifier() and not iskeyword(each)]
    if (
        len(good) != len(fields) + 1
        or len(set(fields)) != len(fields)
        or any(e.startswith("_") for e in fields)
    ):
        raise SerializedProgramError(f"{place}: no named tuple can have these fields")
    return name, fields


# -- Writing -------------------------------------------------------------------------------------


def tree_spec_text(spec: TreeSpec) -> str:
    """The text that `read_tree_spec` reads."""
    return json.dumps([_VERSION, _spec_json(spec)])


def named_tuples(spec: TreeSpec) -> dict[str, list[str]]:
    """The fields of the named tuples in a tree, by their names."""
    found = {spec.context[0]: list(spec.context[1])} if spec.kind == "namedtuple" else {}
    for each in spec.children:
        found |= named_tuples(each)
    return found


def _spec_json(spec: TreeSpec) -> dict[str, Any]:
    if spec.kind is None:
        return {"type": None, "context": None, "children_spec": []}
    children = [_spec_json(each) for each in spec.children]
    is_registered = spec.kind == "registered"
    return {
        "type": spec.context[0] if is_registered else _TYPES[spec.kind],
        "context": spec.context[2] if is_registered else _context_text(spec),
        "children_spec": children,
    }


def _context_text(spec: TreeSpec) -> str:
    """JSON, but the bare name of a named tuple."""
    if spec.kind == "namedtuple":
        return str(spec.context[0])
    return json.dumps(list(spec.context) if spec.kind in ("dict", "OrderedDict") else None)


_TYPES: Final = {kind: name for name, kind in _KINDS.items()}
