"""Operators that talk to the outside, raise, or only exist for the type checker."""

from __future__ import annotations

import itertools
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any, Final
from weakref import WeakKeyDictionary

from tsc.compiler.budget import current_limits
from tsc.compiler.ir import Node, user_place
from tsc.compiler.schema import Aliasing, Effects
from tsc.compiler.types import AwaitType
from tsc.runtime.arrays.integers import wrap
from tsc.runtime.context.errors import ScriptError, raised
from tsc.runtime.context.grad_mode import is_grad_enabled, set_grad_enabled
from tsc.runtime.context.terminal import safe_on_a_terminal
from tsc.runtime.operators.registration import node_operator, operator
from tsc.runtime.operators.scalars import lowerings
from tsc.runtime.values.futures import Await, Future
from tsc.runtime.values.ivalue import IValue
from tsc.runtime.values.text.value_printing import format_value
from tsc.runtime.values.value_types import type_of

# -- Output ------------------------------------------------------------------------------------


def write_output(text: str) -> None:
    """Where ``print`` in a program writes to; tests and front ends may replace it.

    What nobody asked to run (``__setstate__`` of an archive) does not command the terminal.
    """
    sys.stdout.write(text if current_limits().budget is None else safe_on_a_terminal(text))


@operator("prim::Print(...) -> ()", effects=Effects.SIDE_EFFECT)
def print_(*values: IValue) -> None:
    write_output(" ".join(map(format_value, values)) + "\n")


@operator("aten::_print(str s) -> ()", effects=Effects.SIDE_EFFECT)
def print_text(s: str) -> None:
    write_output(s + "\n")


@node_operator("aten::warn(str message, int stacklevel=2) -> ()", effects=Effects.SIDE_EFFECT)
def warn(node: Node | None) -> Callable[[str, int], None]:
    """As Python's warnings, with the line of the program that led to it; once a line unless filters say otherwise."""
    if node is None:
        return lambda message, _: warnings.warn(message, UserWarning, stacklevel=2)
    place = user_place(node).original
    file, line = place.filename, place.line

    def warn_there(message: str, stacklevel: int) -> None:
        warnings.warn_explicit(message, UserWarning, file, line, registry=_WARNED)

    return warn_there


_WARNED: Final[dict[Any, Any]] = {}
"""What has been said, as the module `warnings` keeps it."""


# -- Raising -----------------------------------------------------------------------------------


@operator("prim::RaiseException(str msg, str? cls=None) -> ()", effects=Effects.SIDE_EFFECT)
def raise_exception(msg: str, cls: str | None = None) -> None:
    raise raised(msg, cls)


@operator("aten::_assert_scalar(Scalar self, str assert_msg) -> ()")
def assert_scalar(self: complex, assert_msg: str) -> None:
    if not self:
        raise ScriptError("RuntimeError", assert_msg)


# -- Futures -----------------------------------------------------------------------------------


@operator(
    "aten::wait(Future(t) self) -> t",
    effects=Effects.SIDE_EFFECT,
    aliasing=Aliasing.LETS_OTHERS_RUN,
)
def wait(self: Future) -> Any:
    return self.wait()


@operator("prim::awaitable_wait(Await(t) self) -> t")
def awaitable_wait(self: Await) -> Any:
    return self.wait()


@operator("prim::awaitable_nowait(t self) -> Await(t)")
def awaitable_nowait(self: Any) -> Await:
    return Await(AwaitType(type_of(self)), lambda: self)


# -- Modules -----------------------------------------------------------------------------------


@operator("prim::ModuleContainerIndex.list(Any self, int ind) -> Any")
def submodule_by_number(self: Any, ind: int) -> Any:
    return _submodule(self, str(ind))


@operator("prim::ModuleContainerIndex.dict(Any self, str ind) -> Any")
def submodule_by_name(self: Any, ind: str) -> Any:
    return _submodule(self, ind)


def _submodule(container: Any, name: str) -> Any:
    if name not in container.script_type.attributes:
        type_name = container.script_type.name
        raise ScriptError("RuntimeError", f"'{type_name}' object has no module '{name}'")
    return container.script_attributes[name]


# -- Types -------------------------------------------------------------------------------------


@operator("aten::_unwrap_optional(t(a)? optional) -> t(a)")
def unwrap_optional(optional: Any) -> Any:
    if optional is None:
        raise ScriptError("RuntimeError", "Unwrapping null optional")
    return optional


@operator("prim::unchecked_unwrap_optional(t(a)? optional) -> t(a)")
def unchecked_unwrap_optional(optional: Any) -> Any:
    return optional


@operator("prim::unchecked_cast(t x) -> t")
def unchecked_cast(x: Any) -> Any:
    return x


@operator("prim::Uninitialized() -> Any")
def uninitialized() -> None:
    """Nothing reads it."""


@operator("prim::IfThenElse(bool cond, Any(a) x, Any(b) y) -> Any(b|a)")
def if_then_else(cond: bool, x: Any, y: Any) -> Any:
    return x if cond else y


_NUMBERS: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
_NEW_NUMBERS = itertools.count(1)


@operator("prim::id(AnyClassType? x) -> int")
def identity(x: Any) -> int:
    """A number that no other object of the process has, and 0 of None. It does not tell where the object is."""
    if x is None:
        return 0
    known = _NUMBERS.get(x)
    return _NUMBERS.setdefault(x, next(_NEW_NUMBERS)) if known is None else known


# -- Ranges ------------------------------------------------------------------------------------


@operator("aten::__range_length(int lo, int hi, int step) -> int", lowering=lowerings.range_length)
def range_length(lo: int, hi: int, step: int) -> int:
    if step == 0:
        raise ScriptError("RuntimeError", "range() arg 3 must not be zero")
    if (lo < hi) != (step > 0) or lo == hi:
        return 0
    return wrap((abs(hi - lo) - 1) // abs(step) + 1)


@operator(
    "aten::__derive_index(int index, int start, int step) -> int", lowering=lowerings.derive_index
)
def derive_index(index: int, start: int, step: int) -> int:
    return wrap(start + index * step)


# -- Time and surroundings ---------------------------------------------------------------------
# What they answer, or set, belongs to the process rather than to the program: each is an effect.


@operator("prim::TimePoint() -> int", effects=Effects.SIDE_EFFECT)
def time_point() -> int:
    """Nanoseconds on a clock that only runs forward."""
    return time.monotonic_ns()


@operator("aten::is_scripting() -> bool")
def is_scripting() -> bool:
    return True


@operator("aten::_get_tracing_state() -> bool")
def tracing_state() -> bool:
    return False


@operator("aten::has_torch_function(...) -> bool")
def has_torch_function(*_values: object) -> bool:
    return False


@operator("aten::is_grad_enabled() -> bool", effects=Effects.SIDE_EFFECT)
def grad_enabled() -> bool:
    return is_grad_enabled()


@operator("aten::set_grad_enabled(bool val) -> ()", effects=Effects.SIDE_EFFECT)
def enable_grad(val: bool) -> None:
    set_grad_enabled(val)


# -- What this machine and build have, and PyTorch's may have ----------------------------------


def no() -> bool:
    return False


operator(
    "aten::is_autocast_enabled() -> bool",
    "aten::is_autocast_cpu_enabled() -> bool",
    effects=Effects.SIDE_EFFECT,
)(no)
operator("aten::_nnpack_available() -> bool", "aten::is_vulkan_available() -> bool")(no)
operator("aten::_use_cudnn_rnn_flatten_weight() -> bool")(no)


@operator("aten::_get_cpu_capability() -> str", effects=Effects.SIDE_EFFECT)
def cpu_capability() -> str:
    """No vector instructions are asked for by name."""
    return "DEFAULT"


@operator(
    "aten::sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> ()",
    "aten::sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> ()",
)
def constrain_range(size: int, min: int | None, max: int | None) -> None:
    """A promise to PyTorch's exporter, which nothing checks."""
