"""Instructions of LLVM on single elements, as text: what they are of is said by dtypes of tensors.

Elements of half precision are float32 in registers, rounded where a tensor would hold them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from tsc.runtime.arrays.dtypes import BFLOAT16, BOOL, DOUBLE, FLOAT, HALF
from tsc.runtime.arrays.type_promotion import LOW_PRECISION

_MEMORY: Final = {BOOL: "i8", HALF: "half", BFLOAT16: "i16", FLOAT: "float", DOUBLE: "double"}
_INTEGERS: Final = {
    np.dtype(name): f"i{np.dtype(name).itemsize * 8}"
    for name in ("uint8", "int8", "int16", "int32", "int64")
}
DTYPES_BY_NAME: Final = {str(each): each for each in (*_MEMORY, *_INTEGERS)}
"""The dtypes that elements may have."""
_REGISTER: Final = {BOOL: "i1", HALF: "float", BFLOAT16: "float", FLOAT: "float", DOUBLE: "double"}


class NotLowered(Exception):
    """There is no native code for this: it runs operator by operator. `kind` is that of the node, if it is one's."""

    def __init__(self, kind: str | None = None) -> None:
        super().__init__()
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Element:
    """A value in a register, or a constant of LLVM, and the dtype of the tensor that it is an element of."""

    name: str
    dtype: np.dtype


class NumberElement(Element):
    """A number among the arguments of a group, which is not rounded to half precision."""


def memory_type(dtype: np.dtype) -> str:
    """The type of an element in memory. Raises NotLowered."""
    return _type(dtype, _MEMORY)


def register_type(dtype: np.dtype) -> str:
    """The type of an element in a register. Raises NotLowered."""
    return _type(dtype, _REGISTER)


def is_floating(dtype: np.dtype) -> bool:
    return register_type(dtype) in ("float", "double")


def is_unsigned(dtype: np.dtype) -> bool:
    return dtype.kind in "bu"


def _type(dtype: np.dtype, floats: dict[np.dtype, str]) -> str:
    found = floats.get(dtype) or _INTEGERS.get(dtype)
    if found is None:
        raise NotLowered
    return found


def constant(number: float, dtype: np.dtype) -> Element:
    """A number in a dtype, wrapped around or rounded to it. Raises NotLowered for one that is none of its own."""
    if dtype == BOOL:
        if number not in (0, 1):
            raise NotLowered
        return Element("true" if number else "false", dtype)
    if is_floating(dtype):
        with np.errstate(all="ignore"):
            rounded = (
                float(np.float32(number)) if register_type(dtype) == "float" else float(number)
            )
        return Element(f"0x{struct.unpack('<Q', struct.pack('<d', rounded))[0]:016X}", dtype)
    if isinstance(number, float):
        raise NotLowered
    bits = dtype.itemsize * 8
    return Element(str((number + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))), dtype)


@dataclass(slots=True)
class Instructions:
    """Appends lines to the body of a function."""

    lines: list[str] = field(default_factory=list[str])
    intrinsics: set[str] = field(default_factory=set[str])
    _count: int = 0

    def add(self, text: str) -> str:
        """A line with a result; returns its name."""
        self._count += 1
        name = f"%v{self._count}"
        self.lines.append(f"  {name} = {text}")
        return name

    def element(self, text: str, dtype: np.dtype) -> Element:
        return Element(self.add(text), dtype)

    def binary(self, instruction: str, a: Element, b: Element) -> Element:
        """An instruction on two elements of one dtype, which is that of the result."""
        return self.element(f"{instruction} {register_type(a.dtype)} {a.name}, {b.name}", a.dtype)

    def compare(self, comparison: str, a: Element, b: Element) -> Element:
        """``fcmp olt`` and the like."""
        return self.element(f"{comparison} {register_type(a.dtype)} {a.name}, {b.name}", BOOL)

    def select(self, condition: Element, a: Element, b: Element) -> Element:
        type = register_type(a.dtype)
        return self.element(
            f"select i1 {condition.name}, {type} {a.name}, {type} {b.name}", a.dtype
        )

    def intrinsic(self, name: str, *operands: Element, freely: str = "") -> Element:
        """One of LLVM's own functions, on elements of one dtype; `freely` are flags of the call."""
        dtype = operands[0].dtype
        type = register_type(dtype)
        suffix = {"float": "f32", "double": "f64"}.get(type, type)
        function = f"@llvm.{name}.{suffix}"
        self.intrinsics.add(f"declare {type} {function}({', '.join([type] * len(operands))})")
        given = ", ".join(f"{type} {each.name}" for each in operands)
        return self.element(f"call {freely}{type} {function}({given})", dtype)

    def call_of(
        self, call: str, definitions: Callable[[], Iterable[str]], dtype: np.dtype
    ) -> Element:
        """A call of a function that has to be defined beside this one."""
        self.intrinsics.update(definitions())
        return self.element(call, dtype)

    def fused(self, a: Element, b: Element, c: Element) -> Element:
        """a * b + c, rounded once."""
        return self.intrinsic("fma", a, b, c)

    # -- Memory and dtypes -------------------------------------------------------------------

    def load(self, pointer: str, dtype: np.dtype) -> Element:
        type = memory_type(dtype)
        loaded = self.add(f"load {type}, ptr {pointer}, align 1")
        if dtype == BOOL:
            return self.element(f"icmp ne i8 {loaded}, 0", dtype)
        if dtype == HALF:
            return self.element(f"fpext half {loaded} to float", dtype)
        if dtype == BFLOAT16:
            bits = self.add(f"zext i16 {loaded} to i32")
            return self.element(f"bitcast i32 {self.add(f'shl i32 {bits}, 16')} to float", dtype)
        return Element(loaded, dtype)

    def store(self, value: Element, pointer: str) -> None:
        type, name = memory_type(value.dtype), value.name
        if value.dtype == BOOL:
            name = self.add(f"zext i1 {name} to i8")
        elif value.dtype == HALF:
            name = self.add(f"fptrunc float {name} to half")
        elif value.dtype == BFLOAT16:
            bits = self.add(f"bitcast float {name} to i32")
            name = self.add(f"trunc i32 {self.add(f'lshr i32 {bits}, 16')} to i16")
        self.lines.append(f"  store {type} {name}, ptr {pointer}, align 1")

    def cast(self, value: Element, dtype: np.dtype) -> Element:
        """An element in another dtype; what is too large for an integer is as processors have it."""
        if value.dtype == dtype:
            return value
        source, target = register_type(value.dtype), register_type(dtype)
        if dtype == BOOL:
            zero = constant(0, value.dtype)
            different = "fcmp une" if is_floating(value.dtype) else "icmp ne"
            return self.compare(different, value, zero)
        if is_floating(value.dtype) and not is_floating(dtype):
            return self._whole(value, dtype)
        name = value.name
        if source != target:
            name = self.add(f"{_conversion(value.dtype, dtype)} {source} {name} to {target}")
        made = Element(name, dtype)
        return self.rounded(Element(name, FLOAT), dtype) if dtype in LOW_PRECISION else made

    def _whole(self, value: Element, dtype: np.dtype) -> Element:
        """Cut off, by way of 32 or 64 bits; the smallest integer of these for NaN and what is out of range."""
        source, type = register_type(value.dtype), "i64" if dtype.itemsize == 8 else "i32"
        bound = 2.0 ** (int(type[1:]) - 1)
        low, high = (constant(each, value.dtype) for each in (-bound, bound))
        is_over = self.add(f"fcmp oge {source} {value.name}, {low.name}")
        is_under = self.add(f"fcmp olt {source} {value.name}, {high.name}")
        fits = self.add(f"and i1 {is_over}, {is_under}")
        zero = constant(0.0, value.dtype)
        inner = self.select(Element(fits, BOOL), value, zero)
        whole = self.add(f"fptosi {source} {inner.name} to {type}")
        name = self.add(f"select i1 {fits}, {type} {whole}, {type} {-int(bound)}")
        target = register_type(dtype)
        return Element(
            name if type == target else self.add(f"trunc {type} {name} to {target}"), dtype
        )

    def rounded(self, value: Element, dtype: np.dtype) -> Element:
        """A float32 as a tensor of half precision holds it."""
        if dtype == HALF:
            # LLVM would make one step of those from float64 to float32 and from there, by a function that is nowhere
            least = constant(float(np.finfo(np.float32).min), FLOAT)
            single = Element(value.name, FLOAT)
            bounded = self.select(self.compare("fcmp olt", single, least), least, single)
            narrow = self.add(f"fptrunc float {bounded.name} to half")
            return self.element(f"fpext half {narrow} to float", dtype)
        bits = self.add(f"bitcast float {value.name} to i32")
        up = self._to_even(bits)
        sign = self.add(f"and i32 {bits}, -2147483648")
        quiet = self.add(f"or i32 {sign}, 2143289344")
        is_nan = self.add(f"fcmp uno float {value.name}, {value.name}")
        return self._cut(self.add(f"select i1 {is_nan}, i32 {quiet}, i32 {up}"), dtype)

    def rounded_result(self, value: Element, dtype: np.dtype) -> Element:
        """The same for what was computed of numbers of the dtype: the digits of NaN go where theirs did."""
        if dtype == HALF:
            return self.rounded(value, dtype)
        return self._cut(self._to_even(self.add(f"bitcast float {value.name} to i32")), dtype)

    def _to_even(self, bits: str) -> str:
        """Added up so that what is cut off rounds to the nearest number, of two such to the even one."""
        odd = self.add(f"and i32 {self.add(f'lshr i32 {bits}, 16')}, 1")
        return self.add(f"add i32 {self.add(f'add i32 {odd}, 32767')}, {bits}")

    def _cut(self, bits: str, dtype: np.dtype) -> Element:
        return self.element(f"bitcast i32 {self.add(f'and i32 {bits}, -65536')} to float", dtype)


def _conversion(source: np.dtype, target: np.dtype) -> str:
    if is_floating(source):
        return "fpext" if register_type(target) == "double" else "fptrunc"
    if is_floating(target):
        return "uitofp" if is_unsigned(source) else "sitofp"
    if target.itemsize < source.itemsize:
        return "trunc"
    return "zext" if is_unsigned(source) else "sext"
