"""``ParameterList`` and ``ParameterDict``."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from tsc.runtime.construction.containers import position_in
from tsc.runtime.construction.module_methods import METHODS, container
from tsc.runtime.construction.values.modules import ModuleInstance, Parameter, full_type_name
from tsc.runtime.construction.values.protocol import Evaluator
from tsc.runtime.construction.values.value import type_name
from tsc.runtime.values.tensor import Tensor


def _as_parameter(value: Any) -> Any:
    return (
        Parameter(value)
        if isinstance(value, Tensor) and not isinstance(value, Parameter)
        else value
    )


def _entries(module: ModuleInstance) -> dict[str, Any]:
    """What a container of parameters holds: other values are attributes."""
    return {**module.parameters, **module.attributes}


def _ordered(module: ModuleInstance) -> list[Any]:
    entries = _entries(module)
    return [entries[str(number)] for number in range(len(entries))]


def _initialize_parameters(
    evaluator: Evaluator, module: ModuleInstance, values: Any = None
) -> None:
    METHODS["__init__"](evaluator, module)
    if values is not None:
        _extend_parameters(evaluator, module, values)


def _extend_parameters(evaluator: Evaluator, module: ModuleInstance, values: Any) -> ModuleInstance:
    for value in evaluator.listed(values):
        _append_parameter(evaluator, module, value)
    return module


def _append_parameter(_evaluator: Evaluator, module: ModuleInstance, value: Any) -> Any:
    module.store(str(len(_entries(module))), _as_parameter(value))
    return module


def _parameter_at(evaluator: Evaluator, module: ModuleInstance, index: Any) -> Any:
    values = _ordered(module)
    if isinstance(index, slice):
        return evaluator.call(module.cls, [values[index]])
    return values[position_in(index, len(values))]


def _set_parameter(_evaluator: Evaluator, module: ModuleInstance, index: Any, value: Any) -> None:
    name = str(position_in(index, len(_entries(module))))
    module.store(name, _as_parameter(value))


def _extra_of_list(_evaluator: Evaluator, module: ModuleInstance) -> str:
    return _described({str(n): value for n, value in enumerate(_ordered(module))})


def _described(entries: dict[str, Any], *, by_class: bool = False) -> str:
    """A line for each parameter."""
    lines: list[str] = []
    for name, value in entries.items():
        if isinstance(value, Tensor):
            kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
            name_of_type = full_type_name(Tensor(value.array)) if by_class else repr(value.dtype)
            size = "x".join(map(str, value.shape))
            lines.append(f"  ({name}): {kind} containing: [{name_of_type} of size {size}]")
        else:
            lines.append(f"  ({name}): Object of type: {type_name(value)}")
    return "\n".join(lines)


PARAMETER_LIST = container(
    "ParameterList",
    {
        "__init__": _initialize_parameters,
        "__getitem__": _parameter_at,
        "__setitem__": _set_parameter,
        "__len__": lambda _evaluator, module: len(_entries(module)),
        "__iter__": lambda _evaluator, module: iter(_ordered(module)),
        "__iadd__": _extend_parameters,
        "append": _append_parameter,
        "extend": _extend_parameters,
        "extra_repr": _extra_of_list,
    },
)


def _initialize_parameter_dict(
    evaluator: Evaluator, module: ModuleInstance, values: Any = None
) -> None:
    METHODS["__init__"](evaluator, module)
    if values is not None:
        _update_parameters(evaluator, module, values)


def _update_parameters(evaluator: Evaluator, module: ModuleInstance, values: Any) -> None:
    """A plain dict is taken in the order of its keys, as PyTorch takes it."""
    pairs = evaluator.pairs(values)
    if isinstance(pairs, dict):
        pairs = pairs.items() if isinstance(pairs, OrderedDict) else sorted(pairs.items())
    for key, value in pairs:
        _set_entry(evaluator, module, key, value)


def _set_entry(_evaluator: Evaluator, module: ModuleInstance, key: Any, value: Any) -> None:
    if not isinstance(key, str):
        raise TypeError(f"the key of a ParameterDict is a string, not a {type_name(key)}")
    module.store(key, _as_parameter(value))


def _entry(_evaluator: Evaluator, module: ModuleInstance, key: Any) -> Any:
    return _entries(module)[key]


def _entry_or(_evaluator: Evaluator, module: ModuleInstance, key: Any, default: Any = None) -> Any:
    return _entries(module).get(key, default)


def _delete_entry(_evaluator: Evaluator, module: ModuleInstance, key: Any) -> None:
    del (module.parameters if key in module.parameters else module.attributes)[key]


def _pop_entry(evaluator: Evaluator, module: ModuleInstance, key: Any) -> Any:
    value = _entries(module)[key]
    _delete_entry(evaluator, module, key)
    return value


def _clear_entries(_evaluator: Evaluator, module: ModuleInstance) -> None:
    module.parameters.clear()
    module.attributes.clear()


PARAMETER_DICT = container(
    "ParameterDict",
    {
        "__init__": _initialize_parameter_dict,
        "__getitem__": _entry,
        "__setitem__": _set_entry,
        "__delitem__": _delete_entry,
        "__len__": lambda _evaluator, module: len(_entries(module)),
        "__iter__": lambda _evaluator, module: iter(_entries(module)),
        "__contains__": lambda _evaluator, module, key: key in _entries(module),
        "keys": lambda _evaluator, module: _entries(module).keys(),
        "items": lambda _evaluator, module: _entries(module).items(),
        "values": lambda _evaluator, module: _entries(module).values(),
        "get": _entry_or,
        "pop": _pop_entry,
        "clear": _clear_entries,
        "update": _update_parameters,
        "extra_repr": lambda _evaluator, module: _described(_entries(module), by_class=True),
    },
)
