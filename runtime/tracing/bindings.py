"""What a name of PyTorch's Python means as an operator, where it is not the operator of that name.

These are the facts of PyTorch's binding of tensors to Python: conversions, sizes, factories, and the few
operators that are recorded by what they do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tsc.compiler.ir import Function
from tsc.compiler.schema import Operator
from tsc.compiler.types import Device, TensorType
from tsc.runtime.arrays.dtypes import DTYPE_OF_NAME
from tsc.runtime.tracing.cells import CELLS
from tsc.runtime.tracing.errors import CONSTRUCTOR, DATA_FLOW, LENGTH, UntracedOperator, warn
from tsc.runtime.tracing.forks import record_fork
from tsc.runtime.tracing.indexing import KeyReader
from tsc.runtime.tracing.library_calls import call_library
from tsc.runtime.tracing.overloads import Matching, gives_tensors
from tsc.runtime.tracing.recorder import Recorder

Run = Callable[[], Any]
_CPU: Final = Device("cpu")
_CONVERSIONS: Final = {
    "bool": "bool",
    "bfloat16": "bfloat16",
    "short": "int16",
    "byte": "uint8",
    "char": "int8",
    "int": "int32",
    "long": "int64",
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "cfloat": "complex64",
    "cdouble": "complex128",
}
_RENAMED: Final = {
    **{
        f"__{name}__": name for name in ("eq", "ne", "lt", "le", "gt", "ge", "matmul", "abs", "neg")
    },
    **{f"__{name}__": name for name in ("add", "sub", "mul", "pow")},
    **{f"__i{name}__": f"{name}_" for name in ("add", "sub", "mul", "pow")},
    "__truediv__": "div",
    "__itruediv__": "div_",
    "__div__": "div",
    "__idiv__": "div_",
    "__floordiv__": "floor_divide",
    "__ifloordiv__": "floor_divide_",
    "__pos__": "positive",
    "__mod__": "remainder",
    "__imod__": "remainder_",
    "__invert__": "bitwise_not",
    "__radd__": "add",
    "__rmul__": "mul",
    "T": "numpy_T",
    "H": "matrix_H",
}
_LEAVING: Final = {
    "__bool__": "Python boolean", "__int__": "Python integer", "__float__": "Python float",
    "__index__": "Python index", "__complex__": "Python complex", "item": "Python number",
    "tolist": "Python list", "numpy": "NumPy array", "Bool": "Python boolean",
    "Int": "Python integer", "Float": "Python float", "is_nonzero": "Python boolean",
}  # fmt: skip
_CONSTRUCTORS: Final = ("tensor", "as_tensor", "new_tensor", "from_numpy", "asarray")
_NOT_RECORDED: Final = frozenset(
    (
        *("requires_grad_", "retain_grad", "set_", "resize_", "resize_as_", "is_same_size"),
        *("backward", "register_hook", "variable_data", "data", "grad", "result_type", "detach_"),
    )
)
"""PyTorch runs these, and its traces do not say so."""
_SPREADS: Final = ("std", "var", "std_mean", "var_mean")


class Bindings:
    """Hears calls of PyTorch's names, with tensors of one library, and has them recorded."""

    def __init__(
        self,
        recorder: Recorder,
        constant_of: Callable[[Any], Any],
        tensor_of: Callable[..., Any],
        number_tensor: Callable[[Any], Any],
        *,
        runs_by_name: bool = True,
    ) -> None:
        """`tensor_of(value, like=None)` makes a tensor of numbers, with the dtype of another, and
        `number_tensor` that of a number in arithmetic. `runs_by_name` says that the call itself is to
        be run, and not the operator that it means.
        """
        self._recorder = recorder
        self._constant_of = constant_of
        self._tensor_of = tensor_of
        self._runs_by_name = runs_by_name
        self._matching = Matching(recorder.library.is_tensor, constant_of, number_tensor)
        self._keys = KeyReader(recorder, self._of_numbers)

    def hear(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any], run: Run) -> Any:
        """Record a call and give its result. `run` runs it, without recording."""
        special = getattr(self, f"_hear_{name}", None)
        if special is not None:
            return special(args, kwargs, run)
        if name == "__len__":
            warn(LENGTH)
            return run()
        if name in _LEAVING:
            warn(f"Converting a tensor to a {_LEAVING[name]}{DATA_FLOW}")
            return run()
        if name in CELLS:
            return self._cell(name, args, kwargs)
        if name in _CONSTRUCTORS:
            return self._constructed(name, args, kwargs, run)
        if name in _NOT_RECORDED:
            return run()
        if name in _CONVERSIONS and len(args) == 1:
            return self._converted(args[0], _CONVERSIONS[name], kwargs, run)
        return self._operator(_RENAMED.get(name, name), args, kwargs, run)

    def call_library(self, function: Function, arguments: Sequence[Any]) -> Any:
        """Run a function of the library, and have what it does recorded."""
        return call_library(self._recorder, function, arguments)

    def fork(self, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Run a function, and have what it does recorded as a task."""
        return record_fork(self._recorder, function, args, kwargs)

    # -- Operators -------------------------------------------------------------------------------

    def _operator(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any], run: Run) -> Any:
        operators = self._operators(name)
        if not operators:
            return self._unknown(name, run)
        kept = {key: value for key, value in kwargs.items() if key != "requires_grad"}
        if kept.get("out", 0) is None:
            del kept["out"]
        found = self._matching.find(operators, args, kept)
        if found is None:
            return self._unmatched(name, operators, run)
        operator, values = found
        if not gives_tensors(operator):
            return run()
        _fill_in_options(operator, values)
        return self._recorder.record(operator, values, run if self._runs_by_name else None)

    def _operators(self, name: str) -> Sequence[Operator]:
        """The overloads in the order in which the binding tries them."""
        operators = self._recorder.operators.operators_for(f"aten::{name}")
        first = ("dim", "correction") if name in _SPREADS else ("vec",)
        rank = {overload: number for number, overload in enumerate(first)}
        return sorted(operators, key=lambda each: rank.get(each.overload_name, len(rank)))

    def _unknown(self, name: str, run: Run) -> Any:
        result = run()
        if self._holds_tensor(result):
            raise UntracedOperator(
                f"'{name}' cannot be traced: tsc has no operator aten::{name}\nhint: `tsc ops --similar "
                f"{name}` lists what there is"
            )
        return result

    def _unmatched(self, name: str, operators: Sequence[Operator], run: Run) -> Any:
        result = run()
        if self._holds_tensor(result):
            schemas = "\n".join(f"  {operator.text}" for operator in operators)
            raise UntracedOperator(f"{name}: no overload takes these arguments:\n{schemas}")
        return result

    def _holds_tensor(self, value: Any) -> bool:
        if isinstance(value, list | tuple):
            return any(map(self._holds_tensor, value))
        return self._recorder.library.is_tensor(value)

    # -- Conversions -----------------------------------------------------------------------------

    def _converted(self, tensor: Any, dtype: str, kwargs: Mapping[str, Any], run: Run) -> Any:
        code = DTYPE_OF_NAME[dtype].code
        format = self._constant_of(kwargs.get("memory_format"))
        return self._record("to", "dtype", [tensor, code, False, False, format], run)

    def _hear_cpu(self, args: Sequence[Any], kwargs: Mapping[str, Any], run: Run) -> Any:
        return self._moved(args[0], _CPU, (False, False, None), run)

    def _hear_to(self, args: Sequence[Any], kwargs: Mapping[str, Any], run: Run) -> Any:
        """``to(dtype)``, ``to(device)``, ``to(device, dtype)`` or ``to(other)``."""
        tensor, *rest = args
        named = dict(kwargs)
        other = named.pop("other", None)
        if rest and self._recorder.library.is_tensor(rest[0]):
            other = rest.pop(0)
        device = self._device(named.pop("device", None))
        if rest and device is None and other is None:
            device = self._device(rest[0])
            if device is not None or rest[0] is None:
                rest.pop(0)
        dtype = named.pop("dtype", None)
        if rest and other is None and dtype is None and not isinstance(rest[0], bool):
            dtype = rest.pop(0)
        flags = [named.get("non_blocking", False), named.get("copy", False)]
        flags[: len(rest)] = rest[:2]
        how = (*flags, self._constant_of(named.get("memory_format")))
        if other is not None:
            return self._record("to", "device", [tensor, _CPU, self._code(other), *how], run)
        code = None if dtype is None else self._constant_of(dtype)
        if device is not None and code is not None:
            return self._record("to", "device", [tensor, device, code, *how], run)
        if code is not None:
            return self._record("to", "dtype", [tensor, code, *how], run)
        return self._moved(tensor, device or _CPU, how, run)

    def _moved(self, tensor: Any, device: Device, how: Sequence[Any], run: Run) -> Any:
        values = [tensor, self._code(tensor), 0, device, None, *how]
        return self._record("to", "dtype_layout", values, run)

    def _hear_split(self, args: Sequence[Any], kwargs: Mapping[str, Any], run: Run) -> Any:
        sizes = args[1] if len(args) > 1 else next(iter(kwargs.values()), None)
        if isinstance(sizes, list | tuple):
            rest = {key: each for key, each in kwargs.items() if key == "dim"}
            return self._operator("split_with_sizes", [args[0], sizes, *args[2:]], rest, run)
        return self._operator("split", args, kwargs, run)

    def _hear_type(self, args: Sequence[Any], kwargs: Mapping[str, Any], run: Run) -> Any:
        if len(args) == 1 and not kwargs:
            return run()
        dtype = args[1] if len(args) > 1 else kwargs["dtype"]
        if isinstance(dtype, str):
            code = DTYPE_OF_NAME[_legacy_dtype(dtype)].code
            return self._record("to", "device", [args[0], _CPU, code, False, False, None], run)
        code = self._constant_of(dtype)
        return self._record("to", "dtype", [args[0], code, False, False, None], run)

    def _device(self, value: Any) -> Device | None:
        if isinstance(value, str):
            return Device.parse(value)
        constant = self._constant_of(value)
        return constant if isinstance(constant, Device) else None

    def _code(self, tensor: Any) -> int:
        name = str(tensor.dtype).removeprefix("torch.")
        return DTYPE_OF_NAME[name].code

    def _record(self, name: str, overload: str, values: Sequence[Any], run: Run | None) -> Any:
        operator = self._recorder.operators.find(f"aten::{name}", overload)
        assert operator is not None, name
        return self._recorder.record(operator, values, run)

    # -- Constants -------------------------------------------------------------------------------

    def _constructed(
        self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any], run: Run
    ) -> Any:
        """``torch.tensor(...)``: what it was made of is not recorded."""
        if name == "as_tensor" and args and self._recorder.library.is_tensor(args[0]):
            tensor = args[0]
            dtype = kwargs.get("dtype")
            code = self._code(tensor) if dtype is None else self._constant_of(dtype)
            return self._record("to", "device", [tensor, _CPU, code, False, False, None], run)
        warn(f"torch.{name}{CONSTRUCTOR}")
        made = run()
        recorder = self._recorder
        if recorder.library.describe(made).requires_grad:
            return made
        if name == "from_numpy":
            return self._record("lift_fresh", "", [recorder.library.alias(made)], lambda: made)
        constant = recorder.library.alias(made)
        how = [_CPU, self._code(made), False, False, None]
        if name == "as_tensor":
            return self._record("to", "device", [constant, *how], lambda: made)
        between = recorder.library.alias(made)
        self._record("to", "device", [constant, *how], lambda: between)
        return self._record("detach", "", [between], lambda: made)

    def _of_numbers(self, value: Any) -> Any:
        """The tensor of a list in a key."""
        made = self._tensor_of(value)
        other = self._recorder.library.alias(made)
        how = [_CPU, self._code(made), False, False, None]
        return self._record("to", "device", [made, *how], lambda: other)

    # -- Indexing --------------------------------------------------------------------------------

    def _hear___getitem__(self, args: Sequence[Any], kwargs: Mapping[str, Any], run: Run) -> Any:
        return self._keys.get(args[0], args[1])

    def _hear___setitem__(self, args: Sequence[Any], kwargs: Mapping[str, Any], run: Run) -> Any:
        tensor, key, value = args
        self._keys.set(tensor, key, value, lambda number: self._tensor_of(number, tensor))

    # -- Convolutions ----------------------------------------------------------------------------

    def _hear_conv1d(self, args: Sequence[Any], kwargs: Mapping[str, Any], run: Run) -> Any:
        return self._convolution("conv1d", 1, args, kwargs, run)

    def _hear_conv2d(self, args: Sequence[Any], kwargs: Mapping[str, Any], run: Run) -> Any:
        return self._convolution("conv2d", 2, args, kwargs, run)

    def _hear_conv3d(self, args: Sequence[Any], kwargs: Mapping[str, Any], run: Run) -> Any:
        return self._convolution("conv3d", 3, args, kwargs, run)

    def _hear_conv_transpose1d(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], run: Run
    ) -> Any:
        return self._convolution("conv_transpose1d", 1, args, kwargs, run)

    def _hear_conv_transpose2d(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], run: Run
    ) -> Any:
        return self._convolution("conv_transpose2d", 2, args, kwargs, run)

    def _hear_conv_transpose3d(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], run: Run
    ) -> Any:
        return self._convolution("conv_transpose3d", 3, args, kwargs, run)

    def _cell(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        operators = self._operators(name)
        found = self._matching.find(operators, args, kwargs)
        if found is None:
            return self._unmatched(name, operators, lambda: args[0])
        return CELLS[name](self._recorder, *found[1])

    def _convolution(
        self, name: str, rank: int, args: Sequence[Any], kwargs: Mapping[str, Any], run: Run
    ) -> Any:
        """A convolution is recorded as the general one that it calls."""
        operators = self._operators(name)
        found = self._matching.find(operators, args, kwargs)
        if found is None:
            return self._unmatched(name, operators, run)
        operator, values = found
        given = dict(zip((each.name for each in operator.schema.arguments), values))
        image, weight = given["input"], given["weight"]
        recorder = self._recorder
        is_single = recorder.library.describe(image).rank == rank + 1
        call = recorder.call
        if is_single:
            image = call("unsqueeze", image, 0)
        if isinstance(given["padding"], str):
            options = [given[each] for each in ("stride", "padding", "dilation", "groups")]
            result = call("_convolution_mode", image, weight, given["bias"], *options)
        else:
            transposed = name.startswith("conv_transpose")
            options = [given[each] for each in ("stride", "padding", "dilation")]
            output_padding = given.get("output_padding", [0] * rank)
            more = [transposed, output_padding, given["groups"], False, False, True, True]
            result = call("_convolution", image, weight, given["bias"], *options, *more)
            value = recorder.value_of(result)
            assert isinstance(value.type, TensorType)
            value.set_type(
                replace(value.type, requires_grad=False)
            )  # it is recorded below autograd
        return call("squeeze", result, 0, overload="dim") if is_single else result


def _fill_in_options(operator: Operator, values: list[Any]) -> None:
    """Factories say on which device; where tensors are like another one, it decides."""
    names = {argument.name: place for place, argument in enumerate(operator.schema.arguments)}
    if "pin_memory" not in names or operator.name == "aten::to":
        return
    if values[names["pin_memory"]] is None:
        values[names["pin_memory"]] = False
    depends = operator.name.endswith("_like") or operator.name.startswith("aten::new_")
    if values[names["device"]] is None and not depends:
        values[names["device"]] = _CPU


def _legacy_dtype(name: str) -> str:
    """``float64`` for "torch.DoubleTensor"."""
    short = name.rpartition(".")[2].removesuffix("Tensor").lower()
    return _CONVERSIONS.get(short, short)
