"""Methods and attributes of values that are Python's or the runtime's own: a closed list for each."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tsc.runtime.arrays.dtypes import DType
from tsc.runtime.construction.calls import call_native
from tsc.runtime.construction.values import MISSING, NativeFunction
from tsc.runtime.values.tensor import Tensor

if TYPE_CHECKING:
    from tsc.runtime.construction.evaluator import Evaluator

_STR = """capitalize casefold count endswith find index isalnum isalpha isdecimal isdigit isidentifier
islower isnumeric isspace istitle isupper join lower lstrip partition removeprefix removesuffix
replace rfind rindex rpartition rsplit rstrip split splitlines startswith strip swapcase title upper"""
_LIST = "append clear copy count extend index insert pop remove reverse sort"
_DICT = "clear copy get items keys pop popitem setdefault update values"
_SET = """add clear copy difference difference_update discard intersection intersection_update
isdisjoint issubset issuperset pop remove symmetric_difference union update"""
_NUMBER = "bit_length conjugate is_integer"

_METHODS: dict[type, frozenset[str]] = {
    str: frozenset(_STR.split()),
    list: frozenset(_LIST.split()),
    tuple: frozenset(("count", "index")),
    dict: frozenset(_DICT.split()),
    OrderedDict: frozenset((*_DICT.split(), "move_to_end")),
    defaultdict: frozenset(_DICT.split()),
    set: frozenset(_SET.split()),
    frozenset: frozenset(_SET.split()),
    int: frozenset(_NUMBER.split()),
    bool: frozenset(_NUMBER.split()),
    float: frozenset((*_NUMBER.split(), "as_integer_ratio")),
    complex: frozenset(("conjugate",)),
    range: frozenset(("count", "index")),
}
_FIELDS: dict[type, frozenset[str]] = {
    int: frozenset(("real", "imag", "numerator", "denominator")),
    bool: frozenset(("real", "imag")),
    float: frozenset(("real", "imag")),
    complex: frozenset(("real", "imag")),
    range: frozenset(("start", "stop", "step")),
    slice: frozenset(("start", "stop", "step")),
    DType: frozenset(("is_floating_point", "is_complex", "itemsize")),
}
_TENSOR_FIELDS = frozenset(
    ("shape", "dtype", "device", "ndim", "requires_grad", "grad", "T", "mT", "H", "real", "imag")
)
_TENSOR_METHODS = frozenset(
    (
        *("size", "stride", "item", "tolist", "bool", "byte", "char", "short", "int", "long"),
        *("half", "bfloat16", "float", "double"),
    )
)
_FALSE_FLAGS = frozenset(("is_cuda", "is_quantized", "is_sparse", "is_mkldnn", "is_meta"))


def host_attribute(evaluator: Evaluator, value: Any, name: str) -> Any:
    """The attribute of a value that programs may use, or `MISSING`."""
    if isinstance(value, Tensor):
        return _of_tensor(evaluator, value, name)
    own = _OWN_METHODS.get((_listed_type(value), name))
    if own is not None:
        return _with_receiver(name, own, value)
    for host in type(value).__mro__:
        if name in _METHODS.get(host, ()):
            return _without_evaluator(name, getattr(value, name))
        if name in _FIELDS.get(host, ()):
            return getattr(value, name)
    fields = getattr(value, "_fields", None)
    if isinstance(value, tuple) and fields is not None:
        return _of_named_tuple(evaluator, value, fields, name)
    return MISSING


def _with_receiver(name: str, function: Callable[..., Any], value: Any) -> NativeFunction:
    def run(evaluator: Evaluator, *arguments: Any, **keywords: Any) -> Any:
        return call_native(name, function, evaluator, value, *arguments, **keywords)

    return NativeFunction(name, run)


def _without_evaluator(name: str, method: Callable[..., Any]) -> NativeFunction:
    return NativeFunction(name, lambda _evaluator, *args, **keywords: method(*args, **keywords))


def _listed_type(value: Any) -> type:
    return next((t for t in (str, list, dict) if isinstance(value, t)), type(value))


def _of_named_tuple(evaluator: Evaluator, value: Any, fields: tuple[str, ...], name: str) -> Any:
    if name in fields:
        return getattr(value, name)
    if name == "_fields":
        return fields
    if name in ("_replace", "_asdict"):
        return _without_evaluator(name, getattr(value, name))
    cls = evaluator.named_tuple_classes.get(type(value))
    found = MISSING if cls is None else cls.find(name)
    if cls is None or found is MISSING:
        return MISSING
    from tsc.runtime.construction.attributes import bind

    return bind(evaluator, found, value, cls)


# -- Methods that call back, or may take too much --------------------------------------------


def _sort(
    evaluator: Evaluator, value: list[Any], *, key: Any = None, reverse: bool = False
) -> None:
    call_key = None if key is None else (lambda each: evaluator.call(key, [each]))
    value.sort(key=call_key, reverse=reverse)


def _extend(evaluator: Evaluator, value: list[Any], more: Any) -> None:
    items = evaluator.listed(more)
    evaluator.check_size(len(value) + len(items))
    value.extend(items)


def _join(evaluator: Evaluator, value: str, parts: Any) -> str:
    texts = evaluator.listed(parts)
    if all(isinstance(each, str) for each in texts):
        evaluator.check_size(sum(map(len, texts)) + len(value) * len(texts))
    return value.join(texts)


def _replace(evaluator: Evaluator, value: str, old: str, new: str, count: int = -1) -> str:
    evaluator.check_size(len(value) + value.count(old) * len(new))
    return value.replace(old, new, count)


def _format(evaluator: Evaluator, template: str, /, *values: Any, **named: Any) -> str:
    """``"{} {name}".format(...)``: plain fields only, since a field may reach into a value."""
    from string import Formatter

    from tsc.runtime.construction.format_fields import formatted

    result: list[str] = []
    automatic = 0
    for text, field, form, conversion in Formatter().parse(template):
        result.append(text)
        if field is None:
            continue
        if field == "":
            field, automatic = str(automatic), automatic + 1
        if not (field.isdigit() or field.isidentifier()):
            raise ValueError(f"the field '{field}' of a format string is not supported")
        value = values[int(field)] if field.isdigit() else named[field]
        if conversion == "r":
            value = evaluator.call(NativeFunction("repr", _representation), [value])
        result.append(formatted(evaluator, value, form) if form else evaluator.text(value))
    return "".join(result)


def _representation(evaluator: Evaluator, value: Any) -> str:
    from tsc.runtime.construction.operations import representation

    return representation(evaluator, value)


def _pad(name: str) -> Any:
    def pad(evaluator: Evaluator, value: str, width: int, *fill: str) -> str:
        evaluator.check_size(width)
        return getattr(value, name)(width, *fill)

    return pad


def _update(
    evaluator: Evaluator, value: dict[Any, Any], more: Any = (), /, **keywords: Any
) -> None:
    from tsc.runtime.construction.python_types import as_pairs

    value.update(as_pairs(evaluator, more), **keywords)


def _remove(evaluator: Evaluator, value: list[Any], item: Any) -> None:
    del value[_index(evaluator, value, item)]


def _index(evaluator: Evaluator, value: list[Any], item: Any) -> int:
    from tsc.runtime.construction.operations import contains

    for position, each in enumerate(value):
        if contains(evaluator, [each], item):
            return position
    raise ValueError(f"{item!r} is not in list")


_OWN_METHODS: dict[tuple[type, str], Any] = {
    (list, "sort"): _sort,
    (list, "extend"): _extend,
    (list, "remove"): _remove,
    (list, "index"): _index,
    (dict, "update"): _update,
    (str, "join"): _join,
    (str, "replace"): _replace,
    (str, "format"): _format,
    **{(str, name): _pad(name) for name in ("center", "ljust", "rjust", "zfill")},
}


# -- Tensors -----------------------------------------------------------------------------------


def _of_tensor(evaluator: Evaluator, value: Tensor, name: str) -> Any:
    if name in _TENSOR_FIELDS:
        return getattr(value, name)
    if name in _FALSE_FLAGS:
        return False
    if name == "data":
        return Tensor(value.array)
    if name == "is_leaf":
        return True
    if name in _TENSOR_SPECIAL:
        return _with_receiver(name, _TENSOR_SPECIAL[name], value)
    if name in _TENSOR_METHODS:
        return _without_evaluator(name, getattr(value, name))
    from tsc.runtime.construction.torch_functions import tensor_method

    return tensor_method(value, name)


def _requires_grad(_evaluator: Evaluator, value: Tensor, requires_grad: bool = True) -> Tensor:
    value.requires_grad = requires_grad
    return value


def _type(_evaluator: Evaluator, value: Tensor, dtype: Any = None) -> Any:
    from tsc.runtime.python_api.eager import call

    return f"torch.{value.dtype.scalar_name}Tensor" if dtype is None else call("to", value, dtype)


def _to(_evaluator: Evaluator, value: Tensor, *arguments: Any, **keywords: Any) -> Any:
    from tsc.runtime.python_api.eager import call

    return call("to", value, *arguments, **keywords)


def _same(_evaluator: Evaluator, value: Tensor, *_arguments: Any, **_keywords: Any) -> Tensor:
    return value


_TENSOR_SPECIAL = {
    "requires_grad_": _requires_grad,
    "type": _type,
    "to": _to,
    "cpu": _same,
}
