"""Calls of operators while a program is replayed: by their rules, or recorded in the new graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

import numpy as np

from tsc.compiler.exir import refusals
from tsc.compiler.exir.arguments import TorchConstant
from tsc.compiler.exir.autocast import cast_dtype, casts_inside, is_cast
from tsc.compiler.exir.targets import operator_target
from tsc.compiler.exir.translation.scope import plain_constant
from tsc.compiler.schema import Operator
from tsc.compiler.source import Error
from tsc.compiler.types import TypeKind
from tsc.runtime.arrays.dtypes import CODE_OF_NUMPY, DTYPE_OF_CODE
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.exporting.data_numbers import hinted
from tsc.runtime.exporting.decomposition.functional_tensors import FunctionalTensor, View
from tsc.runtime.exporting.decomposition.table import rules, unconditional
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.exporting.sizes.declared_before import UnknownSizeError
from tsc.runtime.operators import load
from tsc.runtime.values.tensor import Tensor

_ASSERT: Final = operator_target("aten::_assert_async", "msg")
_FUNCTIONAL: Final = {
    "aten::pow_.Scalar": "aten::pow.Tensor_Scalar",
    "aten::pow_.Tensor": "aten::pow.Tensor_Tensor",
    "aten::bernoulli_.float": "aten::bernoulli.p",
    "aten::normal_": "aten::normal_functional",
}
"""Operators that write, whose forms that do not are called otherwise."""
_REVERSED: Final = {"aten::sub.Tensor": "aten::rsub.Scalar"}
"""Operators that take a number first, and those that take it second."""


class Calls:
    """Calls operators for the graph of a recorder; those in `decomposed` go to their rules."""

    def __init__(self, recorder: Recorder, decomposed: frozenset[str]) -> None:
        self.recorder = recorder
        self.replaces_all = bool(decomposed)
        self._decomposed = decomposed | unconditional()
        self.autocast: str | None = None
        """The dtype in which a region of automatic casts runs most operators."""

    def __call__(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """The result of an operator, ``add.Tensor`` or ``aten::add.Tensor``, on functional tensors and numbers."""
        operator = find(name)
        values = bound(operator, args, kwargs)
        wanted = self._cast_dtype(operator, values)
        if wanted is None:
            return self._called(operator, values)
        with self.casting(None):  # the casts are those of the whole operator
            cast = [self._cast(each, wanted) for each in reversed(values)]  # as PyTorch's are
            return self._called(operator, cast[::-1])

    def _called(self, operator: Operator, values: list[Any]) -> Any:
        qualified = operator.qualified_name
        if qualified in self._decomposed or self._is_cast_inside(qualified):
            return self._decompose(operator, values)
        if any(each.is_write for each in operator.schema.arguments):
            return self._written(operator, values)
        return self._recorded(operator, values)

    def _decompose(self, operator: Operator, values: list[Any]) -> Any:
        """What an operator is made of; it is kept where that depends on a size that may change."""
        qualified = operator.qualified_name
        try:
            return rules()[qualified](self, *values)
        except UnknownSizeError as error:
            if qualified not in unconditional():
                return self._recorded(operator, values)
            raise ExportError(
                f"{qualified} is made of other operators by the size {error}, which may change",
                hint="export the program for fixed sizes",
                refusal=refusals.SIZE,
            ) from None

    def plain(self, name: str, *args: Any) -> Any:
        """The result of an operator that is recorded though there is a rule for it."""
        operator = find(name)
        return self._recorded(operator, bound(operator, args, {}))

    def check(self, condition: FunctionalTensor, message: str) -> None:
        """Have the program fail with a message where a tensor of one truth value is false."""
        node = self.recorder.node_of(condition.value)
        self.recorder.number(_ASSERT, (node, message), None)

    def settled(self, size: Any) -> Any:
        """A size that a rule has to know: the program is for this one from now on."""
        sizes = self.recorder.sizes
        return size if sizes is None else sizes.fix(size)

    @staticmethod
    def code_of(tensor: Tensor) -> int:
        """The dtype of a tensor as TorchScript counts it."""
        return CODE_OF_NUMPY[tensor.array.dtype]

    def tensor(self, value: Tensor) -> FunctionalTensor:
        """A value as a tensor with a storage of its own."""
        return FunctionalTensor(self, value)

    # -- Automatic casts -------------------------------------------------------------------------

    @contextmanager
    def casting(self, dtype: str | None) -> Iterator[None]:
        """A region of automatic casts to a dtype, or of none."""
        around, self.autocast = self.autocast, dtype
        try:
            yield
        finally:
            self.autocast = around

    def _cast_dtype(self, operator: Operator, values: list[Any]) -> str | None:
        if self.autocast is None:
            return None
        names: list[str] = []
        mapped(values, lambda each: names.append(DTYPE_OF_CODE[each.code].name))
        return cast_dtype(operator.qualified_name, self.autocast, names)

    def _is_cast_inside(self, qualified: str) -> bool:
        """Whether an operator has to be taken apart, so that its parts are cast. Raises `ExportError` if it cannot."""
        if self.autocast is None or not casts_inside(qualified):
            return False
        if qualified not in rules():
            raise ExportError(
                f"{qualified} is called in a region of automatic casts, which change what it is made of",
                hint="write the casts of its operands, and call it outside of the region",
                refusal=refusals.OPERATOR,
            )
        return True

    def _cast(self, value: Any, wanted: str) -> Any:
        def change(tensor: FunctionalTensor) -> FunctionalTensor:
            if not is_cast(DTYPE_OF_CODE[tensor.code].name, wanted):
                return tensor
            return self("to.dtype", tensor, plain_constant(TorchConstant(wanted)))

        return mapped(value, change)

    # -- Writes ----------------------------------------------------------------------------------

    def _written(self, operator: Operator, values: list[Any]) -> Any:
        """A write: the operator that gives what is written, and the tensor that holds it then."""
        is_out = operator.schema.arguments[-1].name == "out"
        target, given = (values[-1], values[:-1]) if is_out else (values[0], values)
        name = name_without_out(operator) if is_out else functional_name(operator)
        if name is None or not isinstance(target, FunctionalTensor):
            raise ExportError(
                f"{operator.qualified_name} writes, and there is no operator that gives what it writes",
                hint="compute a new tensor in the place of writing to one",
                refusal=refusals.OPERATOR,
            )
        found = self(name, *given)
        if is_out and list(found.sizes) != list(target.sizes):
            raise ExportError(
                f"{operator.qualified_name} gives {list(found.sizes)} to a tensor of {list(target.sizes)}",
                hint="give out the size of the result",
                refusal=refusals.STORAGE,
            )
        if is_view_change(operator):
            if target.is_input:
                raise ExportError(
                    f"{operator.qualified_name} changes the sizes of an input",
                    hint="view it another way in the place of changing it",
                    refusal=refusals.CHANGED_OUTSIDE,
                )
            target.become(found)
            return target
        if found.code != target.code:
            found = self("_to_copy", found, dtype=target.code)
        if found.value is not target.value:
            target.write(found)
        return target

    # -- Recording -------------------------------------------------------------------------------

    def _recorded(self, operator: Operator, values: list[Any]) -> Any:
        """A node of the graph; its result, which may look into the first argument."""
        plain = mapped(values, lambda each: each.value)
        result = self._run(operator, plain)
        given = [each for each in plain if isinstance(each, Tensor)]
        if any(result is each for each in given):
            result = Tensor(result.array)
        target = operator_target(operator.name, operator.overload_name)
        self.recorder.call(operator, plain, result, target)
        if not any(each.alias_info is not None for each in operator.schema.returns):
            return mapped(result, self.tensor)
        return self._views(operator, values, result)

    def _views(self, operator: Operator, values: list[Any], result: Any) -> Any:
        base, *others = values
        if not isinstance(base, FunctionalTensor):
            return mapped(result, self.tensor)
        name, arguments = operator.qualified_name, tuple(others)
        if isinstance(result, Tensor):
            return base.viewed(result, View(name, arguments))
        return [
            base.viewed(each, View(name, arguments, place)) for place, each in enumerate(result)
        ]

    def _run(self, operator: Operator, values: list[Any]) -> Any:
        kernel, given = _kernel_for(operator, hinted(values))
        try:
            with np.errstate(all="ignore"):
                return kernel(*given)
        except (ValueError, TypeError, ArithmeticError, LookupError) as error:
            if isinstance(error, Error):
                raise
            raise ScriptError("RuntimeError", f"{operator.qualified_name}: {error}") from error


def find(name: str) -> Operator:
    """An operator by its name. Raises `ExportError` for one that tsc has not."""
    qualified = name if "::" in name else f"aten::{name}"
    base, _, overload = qualified.partition(".")
    operator = load().find(base, overload)
    if operator is None:
        raise ExportError(
            f"the program calls {qualified}, which tsc has not",
            hint="compute it with operators that tsc has: `tsc ops` lists them",
            refusal=refusals.OPERATOR,
        )
    return operator


def bound(operator: Operator, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
    """All arguments in the order of the schema, defaults filled in."""
    found: list[Any] = []
    for place, argument in enumerate(operator.schema.arguments):
        if place < len(args):
            found.append(args[place])
        elif argument.name in kwargs:
            found.append(kwargs[argument.name])
        else:
            default = argument.default
            found.append(list(default) if isinstance(default, tuple) else default)
    return found


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """A value that may be nested, with its tensors changed."""
    if isinstance(value, FunctionalTensor | Tensor):
        return change(value)
    if isinstance(value, list | tuple):
        parts = [mapped(each, change) for each in cast("Sequence[Any]", value)]
        return parts if isinstance(value, list) else tuple(parts)
    return value


def functional_name(operator: Operator) -> str | None:
    """The operator that gives what this one writes to its first argument, which comes first there, too."""
    qualified = operator.qualified_name
    if qualified in _FUNCTIONAL:
        return _FUNCTIONAL[qualified]
    base, _, overload = qualified.partition(".")
    if not base.endswith("_") or base.endswith("__"):
        return None
    for name in (overload, "int" if base == "aten::transpose_" else overload):
        if load().find(base[:-1], name) is not None:
            return f"{base[:-1]}.{name}" if name else base[:-1]
    return None


def name_without_out(operator: Operator) -> str | None:
    """The operator that gives what this one writes to its last argument, ``out``."""
    wanted = [(each.name, each.type) for each in operator.schema.arguments[:-1]]
    for each in load().operators_for(operator.name):
        if [(e.name, e.type) for e in each.schema.arguments] == wanted:
            return each.qualified_name
    return None


def is_view_change(operator: Operator) -> bool:
    """Whether an operator that writes changes sizes and strides, not elements."""
    return operator.name in _VIEW_CHANGES


_VIEW_CHANGES: Final = frozenset(
    f"aten::{name}_" for name in ("unsqueeze", "squeeze", "t", "transpose", "swapaxes", "swapdims")
)


def _kernel_for(operator: Operator, values: list[Any]) -> tuple[Callable[..., Any], list[Any]]:
    """What computes a call, in which numbers may stand in the place of tensors."""
    arguments = operator.schema.arguments
    places = [
        place
        for place, (argument, value) in enumerate(zip(arguments, values, strict=True))
        if argument.type.kind is TypeKind.TensorType
        and isinstance(value, bool | int | float | complex)
    ]
    if not places:
        return cast("Callable[..., Any]", operator.kernel), values
    if places == [1]:
        base, _, overload = operator.qualified_name.partition(".")
        scalar = load().find(base, overload.replace("Tensor", "Scalar") or "Scalar")
        if scalar is not None:
            return cast("Callable[..., Any]", scalar.kernel), values
    reverse = _REVERSED.get(operator.qualified_name)
    if places == [0] and reverse is not None:
        return cast("Callable[..., Any]", find(reverse).kernel), [values[1], values[0], *values[2:]]
    return cast("Callable[..., Any]", operator.kernel), _with_tensors(values, places)


def _with_tensors(values: list[Any], places: list[int]) -> list[Any]:
    """Numbers as tensors without dimensions, whose dtype changes nothing."""
    model = next(each for each in values if isinstance(each, Tensor))
    found = list(values)
    for place in places:
        number = found[place]
        dtype = np.result_type(model.array.dtype, type(number))
        found[place] = Tensor(np.asarray(number, model.array.dtype if dtype.kind == "f" else dtype))
    return found


def dtype_of(code: int) -> np.dtype[Any]:
    """Of NumPy."""
    return DTYPE_OF_CODE[code].numpy
