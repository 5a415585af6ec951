"""What the arguments of a node are made of: nodes, constants, and tuples, lists and dicts of these."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tsc.compiler.exir.targets import Target
from tsc.compiler.types.tensor_options import Device

if TYPE_CHECKING:
    from tsc.compiler.exir.node import Node


@dataclass(frozen=True, slots=True)
class TorchConstant:
    """A dtype, layout or memory format by its name in ``torch``: "float32", "strided", "channels_last"."""

    name: str

    def __str__(self) -> str:
        return f"torch.{self.name}"

    __repr__ = __str__


Constant: TypeAlias = bool | int | float | complex | str | TorchConstant | Device | Target | None
Leaf: TypeAlias = "Node | Constant"
Argument: TypeAlias = "Leaf | tuple[Argument, ...] | list[Argument] | dict[str, Argument]"


def map_argument(argument: Argument, change: Callable[[Leaf], Argument]) -> Argument:
    """The same argument with every leaf changed; containers are made anew."""
    if isinstance(argument, tuple):
        return tuple([map_argument(each, change) for each in argument])
    if isinstance(argument, list):
        return [map_argument(each, change) for each in argument]
    if isinstance(argument, dict):
        return {key: map_argument(each, change) for key, each in argument.items()}
    return change(argument)


def leaves(argument: Argument) -> Iterator[Leaf]:
    """Nodes and constants in an argument, from left to right."""
    if isinstance(argument, tuple | list):
        for each in argument:
            yield from leaves(each)
    elif isinstance(argument, dict):
        for each in argument.values():
            yield from leaves(each)
    else:
        yield argument
