"""``out=`` forms, derived from functional operators.

A family lists its operators that have such a form, under a rule of what may be stored:

    out_forms(CASTABLE, "add.Tensor:out addcdiv addcmul lerp.Scalar")

Schemas are derived by rule (`derived_schemas`). The kernel is made when it is first asked for: it runs the
functional operator, checks that the results may be stored, resizes the tensors that have another
shape, copies, and returns them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from tsc.compiler.schema import Argument, Operator, parse_schema
from tsc.runtime.arrays.dimensions import (
    check_no_overlap,
    check_no_partial_overlap,
    check_not_expanded,
)
from tsc.runtime.arrays.dtypes import (
    BOOL,
    BYTE,
    CATEGORY,
    CODE_OF_NUMPY,
    COMPLEX,
    DEFAULT_DTYPE,
    FLOATING,
    scalar_name,
)
from tsc.runtime.arrays.storage import resized
from tsc.runtime.arrays.type_promotion import can_cast, converted
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.derived_schemas import declared, forms, out_schema
from tsc.runtime.operators.elementwise import ALL_DTYPES, FLOATING_DTYPES, NONE
from tsc.runtime.operators.registration import table
from tsc.runtime.values.tensor import Tensor

Fits = Callable[[np.dtype, np.dtype], bool]


def _equal(result: np.dtype, out: np.dtype) -> bool:
    return result is out


def _any(result: np.dtype, out: np.dtype) -> bool:
    return True


def _floating(result: np.dtype, out: np.dtype) -> bool:
    return out in FLOATING_DTYPES


def _real_floating(result: np.dtype, out: np.dtype) -> bool:
    return CATEGORY[out] == FLOATING


def _complex(result: np.dtype, out: np.dtype) -> bool:
    return CATEGORY[out] == COMPLEX


def _truth(result: np.dtype, out: np.dtype) -> bool:
    return out is BOOL or out is BYTE


@dataclass(frozen=True, slots=True)
class OutRule:
    """What an operator asks of an ``out=`` tensor.

    `fits` tells whether a result of one dtype may be stored in another, and `message` what is said
    if not: ``{result}`` and ``{out}`` are the dtypes by PyTorch's names, ``{c_result}`` and ``{c_out}``
    by those of C++, ``{is_int32}`` asks for the first. The result is computed in the dtype of ``out``
    if that is one of `computes_in`. With `in_place`, elements are written while others are read, so
    that memory is not to be shared in part; with `apart`, not at all.
    """

    fits: Fits
    message: str = ""
    computes_in: frozenset[np.dtype] = NONE
    in_place: bool = False
    apart: bool = False
    resize: Callable[[Tensor, tuple[int, ...]], None] | None = None

    def check(self, result: np.dtype, out: np.dtype) -> None:
        """ScriptError if a result of the one dtype may not be stored in the other."""
        if not self.fits(result, out):
            names = {
                "result": scalar_name(result),
                "out": scalar_name(out),
                "c_result": C_NAMES[result.name],
                "c_out": C_NAMES[out.name],
                "is_int32": result.name == "int32",
            }
            raise ScriptError("RuntimeError", self.message.format(**names))


C_NAMES = {
    "uint8": "unsigned char",
    "int8": "signed char",
    "int16": "short int",
    "int32": "int",
    "int64": "long int",
    "uint16": "short unsigned int",
    "uint32": "unsigned int",
    "uint64": "long unsigned int",
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16",
    "float32": "float",
    "float64": "double",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
    "bool": "bool",
}


def resize_out(out: Tensor, shape: tuple[int, ...]) -> None:
    """Give `out` another shape, with a warning if it held something."""
    if out.array.size:
        warnings.warn(
            "An output with one or more elements was resized from "
            f"{list(out.array.shape)} to {list(shape)}. Call t.resize_(0) first on a "
            "tensor whose elements may go.",
            UserWarning,
            stacklevel=2,
        )
    out.array = resized(out.array, shape)


def resize_silently(out: Tensor, shape: tuple[int, ...]) -> None:
    out.array = resized(out.array, shape)


_CAST = "result type {result} can't be cast to the desired output type {out}"
_DIFFERS = "Expected out tensor to have dtype {c_result}, but got {c_out} instead"

CASTABLE = OutRule(can_cast, _CAST, in_place=True)
"""Of elementwise operators: the category of the dtype may not go down."""
SAME_FOUND = OutRule(_equal, "Found dtype {out} but expected {result}", in_place=True)
"""Of elementwise operators without promotion."""
ANY_DTYPE = OutRule(_any, in_place=True)
"""Of comparisons, whose truth values every dtype has."""
SAME = OutRule(_equal, _DIFFERS)
SAME_IN_PLACE = OutRule(_equal, _DIFFERS, in_place=True)
IN_DTYPE_OF_OUT = OutRule(_equal, _DIFFERS, computes_in=ALL_DTYPES)
"""Of sums and the like: unless a dtype is given, that of ``out`` decides."""
IN_FLOATING_DTYPE_OF_OUT = OutRule(can_cast, _CAST, computes_in=FLOATING_DTYPES)
FACTORY = OutRule(_equal, _DIFFERS, computes_in=ALL_DTYPES)
"""Of tensors made from sizes and numbers, in the dtype of ``out``."""
SILENT_FACTORY = OutRule(_equal, _DIFFERS, computes_in=ALL_DTYPES, resize=resize_silently)


def same(message: str) -> OutRule:
    """The dtype of the result, or this message."""
    return OutRule(_equal, message)


def in_place(rule: OutRule) -> OutRule:
    """The rule of an operator that writes while it reads: memory is not to be shared in part."""
    return replace(rule, in_place=True)


def apart(rule: OutRule) -> OutRule:
    """The rule of an operator that picks or joins elements: ``out`` has no memory of its inputs."""
    return replace(rule, apart=True)


def castable(message: str) -> OutRule:
    """A dtype whose category is not below that of the result, or this message."""
    return OutRule(can_cast, message)


def safely_castable(operator: str, output: str = "result") -> OutRule:
    """A dtype whose category is not below that of the result, as linear algebra says it."""
    return castable(
        f"{operator}: Expected {output} to be safely castable from {{result}} dtype, "
        f"but got {output} with dtype {{out}}"
    )


def floating(message: str) -> OutRule:
    """A floating-point dtype, be it complex, or this message."""
    return OutRule(_floating, message)


def real_floating(message: str) -> OutRule:
    """A real floating-point dtype, or this message."""
    return OutRule(_real_floating, message)


def complex_only(message: str) -> OutRule:
    """A complex dtype, or this message."""
    return OutRule(_complex, message)


def truth(message: str) -> OutRule:
    """bool or uint8, or this message."""
    return OutRule(_truth, message)


def out_forms(rule: OutRule | tuple[OutRule, ...], listing: str) -> None:
    """Declare the ``out=`` forms of operators (for the list see `forms`); several outputs may have a rule each."""
    for functional, overload, outputs in forms(listing):
        _declare(rule, functional, out_schema(functional.text, overload, outputs))


def out_form(rule: OutRule | tuple[OutRule, ...], functional_name: str, schema_text: str) -> None:
    """Declare an ``out=`` form whose schema is not what derivation gives."""
    _declare(rule, declared(functional_name), schema_text)


def _declare(rule: OutRule | tuple[OutRule, ...], functional: Operator, text: str) -> None:
    table.defer(text, partial(_storing, functional, text, rule), **functional.facts)


def _storing(
    functional: Operator, text: str, rule: OutRule | tuple[OutRule, ...]
) -> Callable[..., Any]:
    """The kernel of an ``out=`` schema."""
    variant = parse_schema(text)
    outputs = sum(argument.kwarg_only and _writes(argument) for argument in variant.arguments)
    inputs = variant.arguments[: len(variant.arguments) - outputs]
    rules = rule if isinstance(rule, tuple) else (rule,) * outputs
    compute = _computation(functional, inputs, rules[0])
    if not variant.returns:
        return _to_list(compute, len(inputs), rules[0])
    if outputs == 1:
        return _to_one(compute, len(inputs), rules[0])
    return _to_several(compute, len(inputs), rules)


class _Computation(Protocol):
    """Runs the functional operator on the inputs, given the dtype of the output."""

    def __call__(self, inputs: Sequence[Any], dtype: np.dtype) -> Any: ...


def _writes(argument: Argument) -> bool:
    return argument.alias_info is not None and argument.alias_info.writes


def _computation(functional: Operator, inputs: Sequence[Argument], rule: OutRule) -> _Computation:
    kernel: Any = functional.kernel
    names = [argument.name for argument in inputs]
    taken = functional.schema.arguments
    sources = [names.index(a.name) if a.name in names else None for a in taken]
    dtype_at = next((k for k, a in enumerate(taken) if a.name == "dtype"), None)
    if dtype_at is None and sources == list(range(len(names))):
        return lambda inputs, dtype: kernel(*inputs)
    defaults = [argument.default if argument.has_default else None for argument in taken]
    if dtype_at is not None and sources[dtype_at] is None:
        defaults[dtype_at] = None

    def compute(inputs: Sequence[Any], dtype: np.dtype) -> Any:
        values = [
            default if source is None else inputs[source]
            for source, default in zip(sources, defaults)
        ]
        if dtype_at is not None and values[dtype_at] is None and dtype in rule.computes_in:
            values[dtype_at] = CODE_OF_NUMPY[dtype]
        return kernel(*values)

    return compute


def write_out(rule: OutRule, out: Tensor, result: np.ndarray, inputs: Sequence[Any]) -> Tensor:
    """Store `result` in `out`, which takes its shape."""
    target = out.array
    if result.dtype is not target.dtype:
        rule.check(result.dtype, target.dtype)
        result = converted(result, target.dtype)
    if rule.in_place or rule.apart:
        check = check_no_overlap if rule.apart else check_no_partial_overlap
        for value in inputs:
            if type(value) is Tensor:
                check(target, value.array)
            elif type(value) is list:
                _check_each(check, target, value)
    if target.shape != result.shape:
        (rule.resize or resize_out)(out, result.shape)
        target = out.array
    check_not_expanded(target)
    target[...] = result
    return out


def _check_each(
    check: Callable[[np.ndarray, np.ndarray], None], target: np.ndarray, values: list[Any]
) -> None:
    """The same for tensors in a list, as those that are joined."""
    for value in values:
        if type(value) is Tensor:
            check(target, value.array)


def _to_one(compute: _Computation, count: int, rule: OutRule) -> Callable[..., Tensor]:
    def to_out(*arguments: Any) -> Tensor:
        inputs, out = arguments[:count], arguments[count]
        return write_out(rule, out, compute(inputs, out.array.dtype).array, inputs)

    return to_out


def _to_several(
    compute: _Computation, count: int, rules: tuple[OutRule, ...]
) -> Callable[..., tuple[Tensor, ...]]:
    def to_outs(*arguments: Any) -> tuple[Tensor, ...]:
        inputs, outs = arguments[:count], arguments[count:]
        results = compute(inputs, outs[0].array.dtype)
        return tuple(
            write_out(rule, out, result.array, inputs)
            for rule, out, result in zip(rules, outs, results)
        )

    return to_outs


def _to_list(compute: _Computation, count: int, rule: OutRule) -> Callable[..., None]:
    def to_list(*arguments: Any) -> None:
        inputs, outs = arguments[:count], arguments[count]
        results = compute(inputs, DEFAULT_DTYPE)
        if len(results) != len(outs):
            message = f"expected an out= argument of size {len(results)}, got size {len(outs)}"
            raise ScriptError("RuntimeError", message)
        for out, result in zip(outs, results):
            write_out(rule, out, result.array, inputs)

    return to_list
