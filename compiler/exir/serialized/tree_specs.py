"""How arguments and results are nested, as ``torch.utils._pytree`` writes it in JSON: read and written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from keyword import iskeyword
from typing import Any, Final

from tsc.compiler.exir.pytrees import DICTS, LEAF, TreeSpec
from tsc.compiler.exir.serialized.json_values import JsonObject, SerializedProgramError, array

_VERSION: Final = 1
_MOST_NESTED: Final = 200
_MOST_DIGITS: Final = 18
_KINDS: Final = {
    "builtins.tuple": "tuple",
    "builtins.list": "list",
    "collections.deque": "deque",
    "collections.defaultdict": "defaultdict",
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
    kind = _KINDS[name]
    context = _context(kind, value, fields)
    keys = context[1] if kind == "namedtuple" else context if kind in DICTS else ()
    if keys and len(keys) != len(children):
        raise SerializedProgramError(f"{value.place} has not as many elements as keys")
    return TreeSpec(kind, context, children, _factory(kind, value))


def _registered(name: str, value: JsonObject, count: int) -> tuple[Any, ...]:
    """The name, the fields, the text of the context, and the fields that are None.

    The text that a data class has are its fields, and those that are None.
    """
    text, place = value.text("context"), f"{value.place}.context"
    try:
        told: Any = json.loads(text)
    except (ValueError, RecursionError):
        return name, (), text, ()  # the class writes its context as it likes
    match told:
        case [[*fields], [*missing]] if len(fields) == count and _are_texts(fields + missing):
            _named_tuple(name, (*fields, *missing), place)
            return name, tuple(fields), text, tuple(missing)
        case _:
            return name, (), text, ()


def _are_texts(values: Sequence[Any]) -> bool:
    return all(type(each) is str for each in values)


def _context(kind: str, value: JsonObject, fields: Mapping[str, Sequence[str]]) -> tuple[Any, ...]:
    place = f"{value.place}.context"
    if kind in ("tuple", "list", "Size"):
        return ()
    if kind == "defaultdict":
        return _keys(value.object("context").items("dict_context"), place)
    text = value.text("context")
    if kind == "deque":
        return (_greatest_length(text, place),)
    if kind == "namedtuple":
        name = text.strip('"')
        if name not in fields:
            raise SerializedProgramError(f"{place}: nothing tells the fields of {name}")
        return _named_tuple(name, tuple(fields[name]), place)
    try:
        keys = array(json.loads(text), place)
    except (ValueError, RecursionError):
        raise SerializedProgramError(f"{place} is no JSON") from None
    return _keys(keys, place)


def _keys(keys: Sequence[Any], place: str) -> tuple[Any, ...]:
    for key in keys:
        if type(key) not in (str, int, float, bool):
            raise SerializedProgramError(f"{place}: a key is to be a text or a number")
    return tuple(keys)


def _greatest_length(text: str, place: str) -> int | None:
    """Of a queue; None where there is none."""
    if text == "null":
        return None
    if not text.isascii() or not text.isdigit() or len(text) > _MOST_DIGITS:
        raise SerializedProgramError(f"{place}: {text!r} is no length of a queue")
    return int(text)


def _factory(kind: str, value: JsonObject) -> str:
    """What makes the values that a dict has not: its name, no more."""
    if kind != "defaultdict":
        return ""
    told = value.object("context")
    return f"{told.text('default_factory_module')}.{told.text('default_factory_name')}"


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
        "context": spec.context[2] if is_registered else _context_json(spec),
        "children_spec": children,
    }


def _context_json(spec: TreeSpec) -> str | dict[str, Any]:
    """A text of JSON, but the bare name of a named tuple, and what is told of a defaultdict."""
    if spec.kind == "namedtuple":
        return str(spec.context[0])
    if spec.kind == "defaultdict":
        module, _, name = spec.factory.rpartition(".")
        factory = {"default_factory_module": module, "default_factory_name": name}
        return {**factory, "dict_context": list(spec.context)}
    if spec.kind == "deque":
        return json.dumps(spec.context[0])
    return json.dumps(list(spec.context) if spec.kind in DICTS else None)


_TYPES: Final = {kind: name for name, kind in _KINDS.items()}
