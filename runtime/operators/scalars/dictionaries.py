"""Dictionaries, ordered by insertion. A key that is not there is a RuntimeError, as in PyTorch.

Keys are strings, numbers, bools, or tensors, which are compared by identity. A NaN is no key's equal:
each is an item of its own, which nothing finds again.
"""

from __future__ import annotations

import functools
import operator as operators
from collections.abc import Callable
from typing import Any

from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.fast_forms import always
from tsc.runtime.operators.kernel_notes import Kernel
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.scalars.lowerings import by_node
from tsc.runtime.values.dictionary_keys import apart, from_pairs
from tsc.runtime.values.text.value_printing import format_value

KEYS = ("str", "int", "bool", "float", "complex", "Tensor")
_NATIVE_KEYS = ("str", "int")

Dictionary = dict[Any, Any]


def keyed(*texts: str, python: Callable[..., Any] | None = None, native: str | None = None) -> Any:
    """Declare a kernel for each type of key, which the schema texts call ``K``.

    A kernel that takes a key takes it as the second argument; `python` does the same for keys that are not floats.
    For keys that native code has, the method `native` of its builder does it there.
    """

    def declare(kernel: Kernel) -> Kernel:
        takes_key = any("K key" in text or "K(b -> *)" in text for text in texts)
        for key in KEYS:
            declared = [text.replace("K", key) for text in texts]
            settings: dict[str, Any] = {}
            if native is not None and key in _NATIVE_KEYS:
                settings["lowering"] = by_node(native)
            if takes_key and key == "float":
                operator(*declared)(keeping_apart(kernel))
            elif python is not None:
                operator(*declared, fast_form=always(python), **settings)(kernel)
            else:
                operator(*declared, **settings)(kernel)
        return kernel

    return declare


def keeping_apart(kernel: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(kernel)
    def with_key_apart(self: Dictionary, key: Any, *more: Any) -> Any:
        return kernel(self, apart(key), *more)

    return with_key_apart


def missing(key: Any) -> ScriptError:
    return ScriptError("RuntimeError", f"KeyError: {format_value(key)}")


keyed("aten::len.Dict_K(Dict(K, t) self) -> int", native="length_of_dictionary")(len)


@keyed(
    "aten::__contains__.K(Dict(K, t) dict, K key) -> bool",
    python=operators.contains,
    native="has_key",
)
def contains(dict: Dictionary, key: Any) -> bool:
    return key in dict


@keyed(
    "aten::__getitem__.Dict_K(Dict(K, t) self, K key) -> t(*)",
    python=operators.getitem,
    native="value_of_key",
)
def getitem(self: Dictionary, key: Any) -> Any:
    try:
        return self[key]
    except KeyError:
        raise missing(key) from None


@keyed(
    "aten::_set_item.K(Dict(K, t)(a!) l, K(b -> *) idx, t(c -> *) v) -> ()",
    python=operators.setitem,
    native="set_value",
)
def set_item(l: Dictionary, idx: Any, v: Any) -> None:  # noqa: E741  the schema's name
    l[idx] = v


@keyed("aten::Delete.Dict_K(Dict(K, t)(a!) self, K key) -> ()", native="delete_key")
def delete(self: Dictionary, key: Any) -> None:
    try:
        del self[key]
    except KeyError:
        raise missing(key) from None


@keyed("aten::get.K(Dict(K, t) self, K key) -> t(*)?", python=dict.get, native="value_or_other")
def get(self: Dictionary, key: Any) -> Any:
    return self.get(key)


@keyed(
    "aten::get.default_K(Dict(K, t) self, K key, t default_value) -> t(*)",
    python=dict.get,
    native="value_or_other",
)
def get_default(self: Dictionary, key: Any, default_value: Any) -> Any:
    return self.get(key, default_value)


@keyed(
    "aten::setdefault.K(Dict(K, t)(a!) self, K(b -> *) key, t(c -> *) default_value) -> t(*)",
    native="value_or_set",
)
def setdefault(self: Dictionary, key: Any, default_value: Any) -> Any:
    return self.setdefault(key, default_value)


@keyed("aten::pop.Dict_K(Dict(K, t)(a!) self, K key) -> t(*)", native="pop_value")
def pop(self: Dictionary, key: Any) -> Any:
    try:
        return self.pop(key)
    except KeyError:
        raise missing(key) from None


@keyed("aten::pop.Dict_default_K(Dict(K, t)(a!) self, K key, t default_value) -> t(*)")
def pop_default(self: Dictionary, key: Any, default_value: Any) -> Any:
    return self.pop(key, default_value)


@keyed("aten::popitem.K(Dict(K, t)(a!) self) -> ((K, t))")
def popitem(self: Dictionary) -> tuple[Any, Any]:
    """The oldest item, where Python takes the newest."""
    if not self:
        raise ScriptError("RuntimeError", "popitem(): dictionary is empty")
    key = next(iter(self))
    return key, self.pop(key)


@keyed("aten::clear.K(Dict(K, t)(a!) self) -> ()", native="clear_dictionary")
def clear(self: Dictionary) -> None:
    self.clear()


@keyed("aten::update.K(Dict(K, t)(a!) self, Dict(K, t)(a!) to_add) -> ()")
def update(self: Dictionary, to_add: Dictionary) -> None:
    self.update(from_pairs(to_add.items()))


@keyed("aten::keys.K(Dict(K, t) self) -> K[](*)", native="list_of_dictionary")
def keys(self: Dictionary) -> list[Any]:
    return list(self)


@keyed("aten::values.K(Dict(K, t) self) -> t[](*)", native="list_of_dictionary")
def values(self: Dictionary) -> list[Any]:
    return list(self.values())


@keyed("aten::items.K(Dict(K, t) self) -> ((K, t)[])", native="list_of_dictionary")
def items(self: Dictionary) -> list[tuple[Any, Any]]:
    return list(self.items())


@keyed("aten::copy.Dict_K(Dict(K, t)(a) self) -> Dict(K, t)")
def copy(self: Dictionary) -> Dictionary:
    return self.copy()


@operator("aten::dict() -> Dict(str, Tensor)")
def empty() -> Dictionary:
    return {}


def from_items(inputs: list[tuple[Any, Any]]) -> Dictionary:
    return from_pairs(inputs)


def from_dictionary(self: Dictionary) -> Dictionary:
    return self.copy()


for _key in KEYS:
    operator(f"aten::dict.{_key}(({_key}, tVal)[] inputs) -> Dict({_key}, tVal)")(from_items)
    operator(f"aten::dict.Dict_{_key}(Dict({_key}, t)(a) self) -> Dict({_key}, t)")(from_dictionary)
