"""Objects that a constructor made of classes of the source text, as programs hold them."""

from __future__ import annotations

from typing import Any

from tsc.compiler.frontend.tree_views import ClassDef
from tsc.compiler.ir import Function
from tsc.compiler.source import CompileError
from tsc.compiler.types import ClassType
from tsc.runtime.construction.values.instances import InstanceObject
from tsc.runtime.python_api.ivalue import converter
from tsc.runtime.values.objects import ScriptObject
from tsc.runtime.values.value_types import Mismatch


def program_value(value: Any) -> Any:
    """The value with objects of script classes in the place of what the evaluator made, also in containers.

    Objects whose class does not compile, or whose attributes do not fit it, stay as they are.
    """
    return _converted(value, {})


def _converted(value: Any, known: dict[int, Any]) -> Any:
    """``known`` are the containers and objects met so far, each of which is converted once."""
    if not isinstance(value, InstanceObject) and type(value) not in (list, tuple, dict):
        return value
    if id(value) not in known:
        known[id(value)] = value  # what holds itself is left as it is
        known[id(value)] = _made_of(value, known)
    return known[id(value)]


def _made_of(value: Any, known: dict[int, Any]) -> Any:
    if isinstance(value, InstanceObject):
        made = _object(value, known)
        return value if made is None else made
    if isinstance(value, dict):
        return {key: _converted(each, known) for key, each in value.items()}
    return type(value)([_converted(each, known) for each in value])


def _object(value: InstanceObject, known: dict[int, Any]) -> ScriptObject | None:
    definition, resolver = value.cls.definition, value.cls.resolver
    if resolver is None or not isinstance(definition, ClassDef):
        return None
    try:
        script_type = resolver.class_type(definition.name.name)
        if not isinstance(script_type, ClassType):
            return None
        _compile_constructor(script_type)
        made = ScriptObject(script_type)
        for name, attribute in script_type.attributes.items():
            own = _converted(value.attributes.get(name), known)
            made.script_attributes[name] = converter(attribute.type)(own)
    except (CompileError, Mismatch):
        return None
    return made


def _compile_constructor(script_type: ClassType) -> None:
    """Which attributes an object has is known behind ``__init__``."""
    constructor = script_type.methods.get("__init__")
    if isinstance(constructor, Function):
        constructor.ensure_defined()
