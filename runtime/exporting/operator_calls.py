"""Calls of operators as nodes of exported graphs have them: which overload, and which arguments are told.

The forms are those of ``torch.export`` (PyTorch 2.13): defaults that stand last are left out, arguments behind a star
are named, and arithmetic with numbers calls the overload for tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tsc.compiler.exir.arguments import Argument as NodeArgument
from tsc.compiler.exir.arguments import TorchConstant
from tsc.compiler.exir.targets import Target, operator_target
from tsc.compiler.schema import Argument, Operator
from tsc.compiler.types import ListType, OptionalType, Type, TypeKind
from tsc.compiler.types.scalar_types import SCALAR_TYPES
from tsc.compiler.types.tensor_options import LAYOUTS, MEMORY_FORMATS, Device

_OVERLOADS: Final = {"Scalar": "Tensor", "Scalar_mode": "Tensor_mode"}
_OF_TENSORS: Final = frozenset(
    f"aten::{name}{end}"
    for name in ("add", "sub", "mul", "div", "true_divide")
    for end in ("", "_")
)
"""Operators that ``torch.export`` shows with the overload for tensors, whatever they are called with."""
_NAMES: Final[dict[TypeKind, dict[int, str]]] = {
    TypeKind.ScalarTypeType: {each.code: each.name for each in SCALAR_TYPES},
    TypeKind.LayoutType: {code: name for name, code in LAYOUTS.items()},
    TypeKind.MemoryFormatType: {code: name for name, code in MEMORY_FORMATS.items()},
}
_GIVEN: Final[dict[str, object]] = {"pin_memory": False, "device": Device("cpu")}
"""What operators that make tensors are told in exported programs where a program says nothing."""


def target_of(operator: Operator) -> Target:
    """What a node calls."""
    name, overload = operator.qualified_name.partition(".")[::2]
    if name in _OF_TENSORS:
        overload = _OVERLOADS.get(overload, overload)
    return operator_target(name, overload)


def node_arguments(
    operator: Operator,
    values: Sequence[Any],
    node_of: Callable[[Any], NodeArgument],
    *,
    tells_all: bool = True,
) -> tuple[list[NodeArgument], dict[str, NodeArgument]]:
    """The positional and the named arguments of a node; `node_of` gives the node of a tensor.

    `tells_all`: operators that make tensors are told the device, though the program does not say it.
    """
    arguments = operator.schema.arguments
    makes = tells_all and any(each.name == "pin_memory" for each in arguments)
    args: list[NodeArgument] = []
    kwargs: dict[str, NodeArgument] = {}
    told = 0
    for argument, value in zip(arguments, values, strict=True):
        if value is None and makes and not _takes_tensor(arguments[0]):
            value = _GIVEN.get(argument.name)
        found = _node_argument(argument.declared_type, value, node_of)
        is_default = argument.has_default and _is_default(argument, value)
        if argument.kwarg_only:
            if not is_default:
                kwargs[argument.name] = found
            continue
        args.append(found)
        told = told if is_default else len(args)
    return args[:told], kwargs


def _takes_tensor(argument: Argument) -> bool:
    return argument.type.kind is TypeKind.TensorType


def _is_default(argument: Argument, value: Any) -> bool:
    default = argument.default
    if isinstance(default, tuple):
        return isinstance(value, list | tuple) and tuple(value) == default
    if isinstance(value, Mapping) or not isinstance(
        value, bool | int | float | complex | str | None
    ):
        return False
    return type(value) is type(default) and value == default


def _node_argument(type: Type, value: Any, node_of: Callable[[Any], NodeArgument]) -> NodeArgument:
    inner = type.element if isinstance(type, OptionalType) else type
    if value is None or isinstance(value, str | Device):
        return value
    if isinstance(value, list | tuple):
        element = inner.element if isinstance(inner, ListType) else inner
        return [_node_argument(element, each, node_of) for each in value]
    if inner.kind in _NAMES:
        return TorchConstant(_NAMES[inner.kind][value])
    if isinstance(value, bool | int | float | complex):
        return value
    return node_of(value)
