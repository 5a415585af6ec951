"""``@dataclass``: fields from annotations, and the methods made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tsc.compiler.frontend.tree_views import Expr, Select, Subscript, Var
from tsc.runtime.construction.values.classes import ClassObject
from tsc.runtime.construction.values.functions import NativeFunction
from tsc.runtime.construction.values.instances import InstanceObject
from tsc.runtime.construction.values.protocol import MISSING, Evaluator


@dataclass(slots=True, eq=False)
class Field:
    """``field(default=..., default_factory=...)``"""

    default: Any = MISSING
    default_factory: Any = MISSING
    init: bool = True
    name: str = ""
    kw_only: bool = False


def _field(
    _evaluator: Evaluator,
    *,
    default: Any = MISSING,
    default_factory: Any = MISSING,
    init: bool = True,
    kw_only: bool = False,
    **_rest: Any,
) -> Field:
    return Field(default, default_factory, init, kw_only=kw_only)


FIELD = NativeFunction("field", _field)


def dataclass_decorator(_evaluator: Evaluator, cls: Any = None, **options: Any) -> Any:
    """``@dataclass`` and ``@dataclass(frozen=True)``"""
    if cls is None:
        return NativeFunction("dataclass", lambda _inner, made: _completed(made, options))
    return _completed(cls, options)


def _completed(cls: ClassObject, options: dict[str, Any]) -> ClassObject:
    fields: dict[str, Field] = {}
    for base in reversed(cls.mro[1:]):
        for each in base.attributes.get("__dataclass_fields__", {}).values():
            fields[each.name] = each
    for name, annotation in cls.annotations.items():
        if _is_class_variable(annotation):
            continue
        given = cls.attributes.get(name, MISSING)
        found = given if isinstance(given, Field) else Field(given)
        found.name = name
        found.kw_only = found.kw_only or bool(options.get("kw_only", False))
        fields[name] = found
        if isinstance(given, Field):
            del cls.attributes[name]
            if given.default is not MISSING:
                cls.attributes[name] = given.default
    cls.attributes["__dataclass_fields__"] = fields
    initializer = _initializer(cls, bool(options.get("frozen", False)))
    methods = {"__init__": initializer, "__repr__": _representation, "__eq__": _equality}
    for name, method in methods.items():
        if name not in cls.attributes and options.get(name.strip("_"), True):
            cls.attributes[name] = NativeFunction(name, method)
    return cls


def _is_class_variable(annotation: Expr) -> bool:
    tree = annotation.value if isinstance(annotation, Subscript) else annotation
    name = tree.selector.name if isinstance(tree, Select) else None
    return (tree.name.name if isinstance(tree, Var) else name) == "ClassVar"


def _initializer(cls: ClassObject, is_frozen: bool) -> Any:
    def initialize(
        evaluator: Evaluator, instance: InstanceObject, /, *arguments: Any, **keywords: Any
    ) -> None:
        fields = [each for each in cls.attributes["__dataclass_fields__"].values() if each.init]
        positional = [each for each in fields if not each.kw_only]
        if len(arguments) > len(positional):
            raise TypeError(
                f"{cls.name}.__init__() takes {len(positional) + 1} positional arguments "
                f"but {len(arguments) + 1} were given"
            )
        given = dict(zip((each.name for each in positional), arguments))
        for name, value in keywords.items():
            if name in given or all(each.name != name for each in fields):
                problem = "multiple values for" if name in given else "an unexpected keyword"
                raise TypeError(f"{cls.name}.__init__() got {problem} argument '{name}'")
            given[name] = value
        for each in cls.attributes["__dataclass_fields__"].values():
            instance.attributes[each.name] = _value(evaluator, cls, each, given)
        after = instance.cls.find("__post_init__")
        if after is not MISSING:
            evaluator.call(after, [instance])
        instance.is_frozen = is_frozen

    return initialize


def _value(evaluator: Evaluator, cls: ClassObject, field: Field, given: dict[str, Any]) -> Any:
    if field.name in given:
        return given[field.name]
    if field.default is not MISSING:
        return field.default
    if field.default_factory is not MISSING:
        return evaluator.call(field.default_factory)
    raise TypeError(f"{cls.name}.__init__() missing 1 required positional argument: '{field.name}'")


def _representation(evaluator: Evaluator, instance: InstanceObject) -> str:
    names = instance.cls.find("__dataclass_fields__")
    parts = (f"{name}={evaluator.representation(instance.attributes[name])}" for name in names)
    return f"{instance.cls.name}({', '.join(parts)})"


def _equality(evaluator: Evaluator, left: InstanceObject, right: Any) -> Any:
    if not isinstance(right, InstanceObject) or right.cls is not left.cls:
        return NotImplemented
    names = left.cls.find("__dataclass_fields__")
    return all(
        evaluator.truth(evaluator.binary("eq", left.attributes[name], right.attributes[name]))
        for name in names
    )


def fields_of(_evaluator: Evaluator, value: Any) -> tuple[Any, ...]:
    """``dataclasses.fields(value)``: objects with a name."""
    cls = value if isinstance(value, ClassObject) else value.cls
    holder = ClassObject("Field", "dataclasses.Field")
    return tuple(
        InstanceObject(holder, {"name": name}) for name in cls.find("__dataclass_fields__") or ()
    )
