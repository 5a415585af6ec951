"""``Sequential``, ``ModuleList`` and ``ModuleDict``."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from tsc.runtime.construction.copying import deep_copy
from tsc.runtime.construction.module_methods import METHODS, container
from tsc.runtime.construction.values.modules import (
    ModuleInstance,
)
from tsc.runtime.construction.values.protocol import Evaluator
from tsc.runtime.construction.values.value import type_name

_Modules = dict[str, "ModuleInstance | None"]


def position_in(index: Any, size: int, *, past_end: bool = False) -> int:
    """An index from the front. Raises IndexError outside of the container."""
    if not isinstance(index, int):
        raise TypeError(f"'{type_name(index)}' object cannot be interpreted as an integer")
    if not -size <= index < size + past_end:
        raise IndexError(f"index {index} is out of range")
    return index + size if index < 0 else index


def _name_at(module: ModuleInstance, index: Any) -> str:
    return list(module.modules)[position_in(index, len(module.modules))]


def _replace(module: ModuleInstance, children: Any) -> None:
    """Put these submodules in the place of all, numbered anew."""
    module.modules.clear()
    for number, child in enumerate(children):
        module.register_module(str(number), child)


def _length(_evaluator: Evaluator, module: ModuleInstance) -> int:
    return len(module.modules)


def _iterate(_evaluator: Evaluator, module: ModuleInstance) -> Iterator[Any]:
    return iter(list(module.modules.values()))


def _delete(_evaluator: Evaluator, module: ModuleInstance, index: Any) -> None:
    names = list(module.modules)
    chosen = names[index] if isinstance(index, slice) else [_name_at(module, index)]
    for name in chosen:
        del module.modules[name]
    _replace(module, list(module.modules.values()))


def _set(_evaluator: Evaluator, module: ModuleInstance, index: Any, child: Any) -> None:
    module.store(_name_at(module, index), child)


def _append(_evaluator: Evaluator, module: ModuleInstance, child: Any) -> ModuleInstance:
    module.register_module(str(len(module.modules)), child)
    return module


def _insert(_evaluator: Evaluator, module: ModuleInstance, index: int, child: Any) -> Any:
    children = list(module.modules.values())
    children.insert(position_in(index, len(children), past_end=True), child)
    _replace(module, children)
    return module


def _pop(evaluator: Evaluator, module: ModuleInstance, index: Any = -1) -> Any:
    child = module.modules[_name_at(module, index)]
    _delete(evaluator, module, index)
    return child


def _extend(evaluator: Evaluator, module: ModuleInstance, children: Any) -> ModuleInstance:
    for child in evaluator.listed(children):
        evaluator.call_method(module, "append", child)
    return module


# -- Sequential ----------------------------------------------------------------------------------


def _initialize_sequential(evaluator: Evaluator, module: ModuleInstance, *children: Any) -> None:
    METHODS["__init__"](evaluator, module)
    if len(children) == 1 and isinstance(children[0], OrderedDict):
        for name, child in children[0].items():
            module.register_module(name, child)
        return
    for number, child in enumerate(children):
        module.register_module(str(number), child)


def _item_of_sequential(evaluator: Evaluator, module: ModuleInstance, index: Any) -> Any:
    if isinstance(index, slice):
        chosen = list(module.modules.items())[index]
        return evaluator.call(module.cls, [OrderedDict(chosen)])
    return module.modules[_name_at(module, index)]


def _forward(evaluator: Evaluator, module: ModuleInstance, value: Any) -> Any:
    for child in module.modules.values():
        value = evaluator.call(child, [value])
    return value


def _add_sequentials(evaluator: Evaluator, module: ModuleInstance, other: Any) -> Any:
    _check_sequential(other)
    return evaluator.call(SEQUENTIAL, [*module.modules.values(), *other.modules.values()])


def _add_in_place(evaluator: Evaluator, module: ModuleInstance, other: Any) -> Any:
    _check_sequential(other)
    return _extend(evaluator, module, list(other.modules.values()))


def _check_sequential(other: Any) -> None:
    if not (isinstance(other, ModuleInstance) and SEQUENTIAL in other.cls.mro):
        raise ValueError(
            f"add operator supports only objects of Sequential class on its right, not {other}"
        )


def _multiply(evaluator: Evaluator, module: ModuleInstance, times: Any) -> Any:
    if not isinstance(times, int):
        raise TypeError(
            f"unsupported operand type(s) for *: {module.cls.name} and {type_name(times)}"
        )
    if times <= 0:
        raise ValueError(f"Non-positive multiplication factor {times} for {module.cls.name}")
    children = list(module.modules.values())
    evaluator.check_size(len(children) * times)
    combined = list(children)
    for _ in range(times - 1):
        combined += [deep_copy(child) for child in children]
    return evaluator.call(SEQUENTIAL, combined)


SEQUENTIAL = container(
    "Sequential",
    {
        "__init__": _initialize_sequential,
        "__getitem__": _item_of_sequential,
        "__setitem__": _set,
        "__delitem__": _delete,
        "__len__": _length,
        "__iter__": _iterate,
        "__add__": _add_sequentials,
        "__iadd__": _add_in_place,
        "__mul__": _multiply,
        "__rmul__": _multiply,
        "append": _append,
        "insert": _insert,
        "pop": _pop,
        "extend": _extend,
        "forward": _forward,
    },
)

# -- ModuleList ----------------------------------------------------------------------------------


def _initialize_list(evaluator: Evaluator, module: ModuleInstance, modules: Any = None) -> None:
    METHODS["__init__"](evaluator, module)
    if modules is not None:
        _extend_list(evaluator, module, modules)


def _extend_list(evaluator: Evaluator, module: ModuleInstance, modules: Any) -> ModuleInstance:
    offset = len(module.modules)
    try:
        children = evaluator.listed(modules)
    except TypeError:
        raise TypeError(
            f"ModuleList.extend should be called with an iterable, but got {type_name(modules)}"
        ) from None
    for number, child in enumerate(children):
        module.register_module(str(offset + number), child)
    return module


def _item_of_list(evaluator: Evaluator, module: ModuleInstance, index: Any) -> Any:
    if isinstance(index, slice):
        return evaluator.call(module.cls, [list(module.modules.values())[index]])
    return module.modules[_name_at(module, index)]


def _add_lists(evaluator: Evaluator, module: ModuleInstance, other: Any) -> Any:
    return evaluator.call(MODULE_LIST, [[*module.modules.values(), *evaluator.iterate(other)]])


MODULE_LIST = container(
    "ModuleList",
    {
        "__init__": _initialize_list,
        "__getitem__": _item_of_list,
        "__setitem__": _set,
        "__delitem__": _delete,
        "__len__": _length,
        "__iter__": _iterate,
        "__add__": _add_lists,
        "__iadd__": _extend_list,
        "append": _append,
        "insert": lambda evaluator, module, index, child: (
            _insert(evaluator, module, index, child) and None
        ),
        "pop": _pop,
        "extend": _extend_list,
    },
)

# -- ModuleDict ----------------------------------------------------------------------------------


def _initialize_dict(evaluator: Evaluator, module: ModuleInstance, modules: Any = None) -> None:
    METHODS["__init__"](evaluator, module)
    if modules is not None:
        _update(evaluator, module, modules)


def _update(evaluator: Evaluator, module: ModuleInstance, modules: Any) -> None:
    pairs = evaluator.pairs(modules)
    for name, child in pairs.items() if isinstance(pairs, dict) else pairs:
        module.register_module(name, child)


def _item_of_dict(_evaluator: Evaluator, module: ModuleInstance, key: Any) -> Any:
    return module.modules[key]


def _delete_key(_evaluator: Evaluator, module: ModuleInstance, key: Any) -> None:
    del module.modules[key]


def _pop_key(_evaluator: Evaluator, module: ModuleInstance, key: Any) -> Any:
    return module.modules.pop(key)


MODULE_DICT = container(
    "ModuleDict",
    {
        "__init__": _initialize_dict,
        "__getitem__": _item_of_dict,
        "__setitem__": lambda _evaluator, module, key, child: module.register_module(key, child),
        "__delitem__": _delete_key,
        "__len__": _length,
        "__iter__": lambda _evaluator, module: iter(list(module.modules)),
        "__contains__": lambda _evaluator, module, key: key in module.modules,
        "clear": lambda _evaluator, module: module.modules.clear(),
        "pop": _pop_key,
        "keys": lambda _evaluator, module: module.modules.keys(),
        "items": lambda _evaluator, module: module.modules.items(),
        "values": lambda _evaluator, module: module.modules.values(),
        "update": _update,
    },
)
