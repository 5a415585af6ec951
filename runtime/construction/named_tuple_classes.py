"""Named tuples: their values are Python's named tuples, so that programs take them as they are."""

from __future__ import annotations

from collections import namedtuple
from contextlib import suppress
from typing import Any

from tsc.compiler.source import CompileError
from tsc.compiler.types import TupleType
from tsc.runtime.construction.python_types import OBJECT
from tsc.runtime.construction.values.classes import ClassObject
from tsc.runtime.construction.values.functions import NativeFunction
from tsc.runtime.construction.values.protocol import Evaluator
from tsc.runtime.values.tuple_classes import named_tuple_class

NAMED_TUPLE = ClassObject("NamedTuple", "typing.NamedTuple", (OBJECT,))


def named_tuple(evaluator: Evaluator, cls: ClassObject) -> ClassObject:
    """The class with the fields that its annotations name."""
    defaults = {name: cls.attributes[name] for name in cls.annotations if name in cls.attributes}
    return _with_fields(evaluator, cls, list(cls.annotations), defaults, _declared_type(cls))


def named_tuple_of_call(
    evaluator: Evaluator, name: str, fields: Any, defaults: Any = ()
) -> ClassObject:
    """``namedtuple("Point", ["x", "y"])`` and ``NamedTuple("Point", [("x", int)])``."""
    if isinstance(fields, str):
        fields = fields.replace(",", " ").split()
    names = [each if isinstance(each, str) else each[0] for each in fields]
    cls = ClassObject(name, f"__torch__.{name}", (NAMED_TUPLE,))
    given = list(defaults or ())
    return _with_fields(
        evaluator, cls, names, dict(zip(names[len(names) - len(given) :], given)), None
    )


def _declared_type(cls: ClassObject) -> TupleType | None:
    """The type that programs know the class by; None if they cannot use it."""
    with suppress(CompileError):
        found = cls.resolver.class_type(cls.name) if cls.resolver is not None else None
        return found if isinstance(found, TupleType) else None
    return None


def _with_fields(
    evaluator: Evaluator,
    cls: ClassObject,
    names: list[str],
    defaults: dict[str, Any],
    type: TupleType | None,
) -> ClassObject:
    if type is None:
        host = namedtuple(cls.name, names, defaults=list(defaults.values()))
    else:
        host = named_tuple_class(type)

    def create(
        _evaluator: Evaluator, made: ClassObject, /, *arguments: Any, **keywords: Any
    ) -> Any:
        values = dict(zip(names[len(arguments) :], [None] * len(names)))
        given = {name: defaults[name] for name in values if name in defaults} | keywords
        return host(*arguments, **given)

    evaluator.named_tuple_classes[host] = cls
    cls.create = create
    cls.instances = (host,)
    cls.attributes["_fields"] = tuple(names)
    cls.attributes["_make"] = NativeFunction(
        "_make", lambda evaluator, values: host(*evaluator.iterate(values))
    )
    return cls
