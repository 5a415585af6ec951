"""The modules that programs may import, and what the names in them stand for."""

from __future__ import annotations

import builtins
import functools
import math
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

from tsc.compiler.emit.names import known_modules as known
from tsc.runtime.arrays.dtypes import DTYPE_OF_NAME
from tsc.runtime.construction import library_files
from tsc.runtime.construction import python_types as types
from tsc.runtime.construction.containers import MODULE_DICT, MODULE_LIST, SEQUENTIAL
from tsc.runtime.construction.enum_classes import ENUM, FLAG, INT_ENUM, STR_ENUM, Automatic
from tsc.runtime.construction.module_methods import MODULE
from tsc.runtime.construction.named_tuple_classes import NAMED_TUPLE, named_tuple_of_call
from tsc.runtime.construction.parameter_containers import PARAMETER_DICT, PARAMETER_LIST
from tsc.runtime.construction.standard_library import STANDARD_LIBRARY
from tsc.runtime.construction.torch_functions import library_function, operator_function
from tsc.runtime.construction.values.classes import ClassObject
from tsc.runtime.construction.values.functions import FunctionObject, NativeFunction
from tsc.runtime.construction.values.imported import Namespace, TypeForm
from tsc.runtime.construction.values.protocol import MISSING, Evaluator
from tsc.runtime.context.grad_mode import NoGrad
from tsc.runtime.python_api import eager
from tsc.runtime.python_api.tensor_api import tensor
from tsc.runtime.random.generator import manual_seed
from tsc.runtime.values.tensor import Tensor

_WITH_CLASSES = (library_files.MODULES, library_files.UTILITIES, "torch.nn.parameter")
PATHS = frozenset(
    (
        *known.MODULES,
        *library_files.files(),
        *("torch.nn.modules.module", "torch.nn.modules.container", "torch.nn.parameter"),
        *("torch.nn.utils", "torch.types", "torch.fx", "torch.utils.checkpoint"),
        *(path.rpartition(".")[0] for path in STANDARD_LIBRARY),
        *("abc", "enum", "dataclasses", "numbers"),
    )
)


def member(evaluator: Evaluator, path: str, name: str) -> Any:
    """What a name in a known module stands for, or `MISSING`."""
    full = f"{path}.{name}"
    if full in PATHS:
        return Namespace(full)
    if full in STANDARD_LIBRARY:
        return STANDARD_LIBRARY[full]
    if full in _OWN:
        return _OWN[full]
    if path == "torch.nn" or path.startswith(_WITH_CLASSES):
        found = _of_torch_nn(evaluator, path, name)
        if found is not MISSING:
            return found
    if path == "torch" and name in DTYPE_OF_NAME:
        return DTYPE_OF_NAME[name]
    if full in known.CONSTANT_FUNCTIONS:
        result = known.CONSTANT_FUNCTIONS[full]
        return NativeFunction(name, lambda _evaluator: result)
    if full in known.CONSTANTS:
        return known.CONSTANTS[full]
    if path == "math" and hasattr(math, name) and not name.startswith("_"):
        return _math_function(name)
    if path in ("typing", "typing_extensions", "collections.abc", "torch.nn.common_types"):
        return MISSING if hasattr(builtins, name) else TypeForm(name)
    return _function(evaluator, path, full, name)


def _function(evaluator: Evaluator, path: str, full: str, name: str) -> Any:
    operator = known.OPERATORS.get(full)
    if operator is None:
        found = library_function(evaluator, full)
        if found is not MISSING:
            return found
        prefix = known.OPERATOR_PREFIXES.get(path)
        operator = None if prefix is None else prefix + name
    if operator is None or not operator.startswith("aten::"):
        return MISSING
    short = operator.removeprefix("aten::")
    return operator_function(short) if eager.has_operator(short) else MISSING


def _of_torch_nn(evaluator: Evaluator, path: str, name: str) -> Any:
    """A class of ``torch.nn``, by its public or its full path."""
    if name in _HOST_CLASSES:
        return _HOST_CLASSES[name]
    home = path
    if path in ("torch.nn", library_files.MODULES):
        home = library_files.home_of_classes().get(name, "")
    elif path == library_files.UTILITIES:
        home = library_files.home_of_utilities().get(name, "")
    if home not in library_files.files():
        return MISSING
    resolver = library_files.resolver_of(home, evaluator.toolchain)
    scope = evaluator.scope_of(resolver)
    if name not in resolver.names.bindings:
        return MISSING
    return scope.find(name, resolver.names.bindings[name].range)  # type: ignore[union-attr]


_HOST_CLASSES: dict[str, Any] = {
    "Module": MODULE,
    **{
        each.name: each
        for each in (SEQUENTIAL, MODULE_LIST, MODULE_DICT, PARAMETER_LIST, PARAMETER_DICT)
    },
    "Parameter": types.PARAMETER,
    "Buffer": types.BUFFER,
}


@functools.cache
def _math_function(name: str) -> Any:
    value, path = getattr(math, name), f"math.{name}"
    if not callable(value):
        return value
    if name == "prod":
        return NativeFunction(name, _product, path)
    if name in ("factorial", "comb", "perm"):
        return NativeFunction(name, lambda _evaluator, *args: value(*map(_small, args)), path)
    return NativeFunction(name, lambda evaluator, *args: value(*_listed(evaluator, args)), path)


def _product(evaluator: Evaluator, values: Any, *, start: Any = 1) -> Any:
    for each in evaluator.iterate(values):
        start = evaluator.binary("*", start, each)
    return start


def _small(number: int) -> int:
    if number > 10_000:
        raise OverflowError(f"{number} is too large")
    return number


def _listed(evaluator: Evaluator, arguments: Any) -> Any:
    plain = (int, float, complex, str, Tensor, tuple, list)
    return [each if isinstance(each, plain) else evaluator.listed(each) for each in arguments]


def _identity(_evaluator: Evaluator, value: Any = None, *_arguments: Any, **_keywords: Any) -> Any:
    return value


def _identity_decorator(
    _evaluator: Evaluator, value: Any = None, *_arguments: Any, **_keywords: Any
) -> Any:
    """``@torch.jit.unused`` and ``@torch.jit.ignore(drop=True)``: a decorator, or what gives one."""
    if isinstance(value, FunctionObject | ClassObject):
        return value
    return NativeFunction("decorator", _identity)


def _no_grad(_evaluator: Evaluator, function: Any = None) -> Any:
    """``with torch.no_grad():``, ``@torch.no_grad()``"""
    return NoGrad() if function is None else function


def _tensor(
    _evaluator: Evaluator,
    data: Any,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    return tensor(data, dtype, requires_grad)


def _annotated(_evaluator: Evaluator, _type: Any, value: Any) -> Any:
    """``torch.jit.annotate(type, value)``"""
    return value


def _attribute(_evaluator: Evaluator, value: Any, type: Any = None) -> Any:
    """``torch.jit.Attribute(value, type)``: the type is read from the text."""
    return value


def _seeded(_evaluator: Evaluator, seed: int) -> None:
    manual_seed(seed)


def _is_tensor(_evaluator: Evaluator, value: Any) -> bool:
    return isinstance(value, Tensor)


def _legacy_constructor(dtype: str) -> Callable[..., Tensor]:
    """``torch.FloatTensor(2, 3)``, ``torch.LongTensor([1, 2])``"""

    def create(_evaluator: Evaluator, *arguments: Any) -> Tensor:
        kind = DTYPE_OF_NAME[dtype]
        if len(arguments) == 1 and isinstance(arguments[0], list | tuple):
            return tensor(list(arguments[0]), kind)
        return eager.call("empty", list(arguments), dtype=kind)

    return create


_EFFECTLESS = (
    *("torch.jit.export", "torch.jit.ignore", "torch.jit.unused", "torch.jit.script"),
    *("torch.jit.script_if_tracing", "torch.jit.interface", "torch.jit._overload_method"),
    *("torch._jit_internal._overload", "torch._jit_internal._overload_method"),
    *("torch._jit_internal.export", "torch.jit.script_method"),
    *("torch.compiler.disable", "torch.fx.wrap", "typing.overload", "typing.final"),
    *("typing_extensions.override", "typing.no_type_check"),
)

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(_EFFECTLESS, _identity_decorator),
    **dict.fromkeys(("torch.jit.annotate", "typing.cast"), _annotated),
    "torch.jit.Attribute": _attribute,
    **dict.fromkeys(
        ("torch.no_grad", "torch.inference_mode", "torch.autograd.no_grad", "torch.enable_grad"),
        _no_grad,
    ),
    "torch.tensor": _tensor,
    "torch.as_tensor": _tensor,
    "torch.manual_seed": _seeded,
    "torch.random.manual_seed": _seeded,
    "torch.is_tensor": _is_tensor,
    "torch.is_floating_point": lambda _evaluator, value: value.dtype.is_floating_point,
    "torch.get_default_dtype": lambda _evaluator: DTYPE_OF_NAME["float32"],
    "torch.jit.is_scripting": lambda _evaluator: False,
    "torch._jit_internal.is_scripting": lambda _evaluator: False,
    "torch.overrides.has_torch_function": lambda _evaluator, *_values: False,
    "torch._C._log_api_usage_once": lambda _evaluator, *_values: None,
    "torch._assert": lambda _evaluator, *_values: None,
    "collections.namedtuple": named_tuple_of_call,
    "enum.auto": lambda _evaluator: Automatic(),
    "torch.FloatTensor": _legacy_constructor("float32"),
    "torch.DoubleTensor": _legacy_constructor("float64"),
    "torch.LongTensor": _legacy_constructor("int64"),
    "torch.IntTensor": _legacy_constructor("int32"),
    "torch.ByteTensor": _legacy_constructor("uint8"),
    "torch.BoolTensor": _legacy_constructor("bool"),
}

_OWN: dict[str, Any] = {
    **{path: NativeFunction(path.rpartition(".")[2], run) for path, run in _FUNCTIONS.items()},
    "torch.jit.ScriptModule": MODULE,
    "torch.Tensor": types.TENSOR,
    "torch.device": types.DEVICE,
    "torch.dtype": types.DTYPE,
    "torch.Size": types.SIZE,
    "collections.OrderedDict": types.ORDERED_DICT,
    "collections.defaultdict": types.DEFAULT_DICT,
    "typing.OrderedDict": types.ORDERED_DICT,
    "typing.NamedTuple": NAMED_TUPLE,
    "enum.Enum": ENUM,
    "enum.IntEnum": INT_ENUM,
    "enum.StrEnum": STR_ENUM,
    "enum.Flag": FLAG,
    "enum.IntFlag": FLAG,
    "enum.unique": NativeFunction("unique", _identity),
}


def similar(path: str, name: str) -> str | None:
    """A name in a known module that is spelled like another one."""
    start = f"{path}."
    names = [each.removeprefix(start) for each in _OWN if each.startswith(start)]
    if path == "torch.nn":
        names += [*_HOST_CLASSES, *library_files.home_of_classes()]
    return next(iter(get_close_matches(name, names, n=1)), None)
