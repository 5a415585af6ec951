"""``type`` and ``isinstance``: the class of a value, and whether it is one of others."""

from __future__ import annotations

from typing import Any

from tsc.runtime.construction.host.host_types import as_value
from tsc.runtime.construction.python_types import CLASS_OF_TYPE, OBJECT
from tsc.runtime.construction.values.classes import ClassObject
from tsc.runtime.construction.values.functions import BoundMethod, FunctionObject, NativeFunction
from tsc.runtime.construction.values.imported import TypeForm
from tsc.runtime.construction.values.modules import ModuleInstance
from tsc.runtime.construction.values.protocol import Evaluator


def class_of(evaluator: Evaluator, value: Any) -> ClassObject:
    """``type(value)``"""
    own = as_value(value).own_class(evaluator)
    if own is not None:
        return own
    if type(value) in evaluator.named_tuple_classes:
        return evaluator.named_tuple_classes[type(value)]
    found = next((CLASS_OF_TYPE[t] for t in type(value).__mro__ if t in CLASS_OF_TYPE), None)
    return OBJECT if found is None else found


def is_instance(evaluator: Evaluator, value: Any, classes: Any) -> bool:
    """``isinstance(value, classes)``"""
    if isinstance(classes, tuple | list):
        return any(is_instance(evaluator, value, each) for each in classes)
    if classes is None:
        return value is None
    if isinstance(classes, TypeForm):
        return _is_instance_of_form(value, classes.name)
    if not isinstance(classes, ClassObject):
        raise TypeError("isinstance() arg 2 must be a type, a tuple of types, or a union")
    if classes is OBJECT:
        return True
    own = as_value(value).own_class(evaluator)
    if own is not None:
        return own.is_subclass_of(classes)
    return isinstance(value, classes.instances)


_FORMS: dict[str, tuple[type, ...]] = {
    "Callable": (FunctionObject, BoundMethod, NativeFunction, ClassObject, ModuleInstance),
    "Iterable": (list, tuple, dict, set, frozenset, str, range),
    "Sequence": (list, tuple, str, range),
    "Collection": (list, tuple, dict, set, frozenset, str, range),
    "Mapping": (dict,),
    "MutableMapping": (dict,),
    "List": (list,),
    "Dict": (dict,),
    "Tuple": (tuple,),
    "Set": (set,),
    "Number": (int, float, complex),
    "Real": (int, float),
    "Integral": (int,),
}


def _is_instance_of_form(value: Any, name: str) -> bool:
    if name not in _FORMS:
        raise TypeError(f"isinstance() with '{name}' is not possible")
    if isinstance(value, ModuleInstance) and name in ("Iterable", "Sequence", "Collection"):
        return name == "Iterable" and bool(value.cls.find("__iter__"))
    return isinstance(value, _FORMS[name])
