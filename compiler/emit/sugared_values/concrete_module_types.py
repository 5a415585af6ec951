"""What the compiler is told of a module that exists: its class with the attributes it really has.

PyTorch types a module by its instance: two modules of one Python class may have different types.
Whoever has instances (the runtime) describes them in these terms, a source text or an archive alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final, NamedTuple

from tsc.compiler.emit.protocols import SugaredValue
from tsc.compiler.ir import Function
from tsc.compiler.types import ClassType


class Container(Enum):
    """The modules that are containers of others, or of parameters."""

    SEQUENTIAL = auto()
    LIST = auto()
    DICT = auto()
    PARAMETER_LIST = auto()
    PARAMETER_DICT = auto()

    @property
    def has_keys(self) -> bool:
        return self in (Container.DICT, Container.PARAMETER_DICT)

    @property
    def holds_parameters(self) -> bool:
        return self in (Container.PARAMETER_LIST, Container.PARAMETER_DICT)


CONTAINERS: Final = {
    "Sequential": Container.SEQUENTIAL,
    "ModuleList": Container.LIST,
    "ModuleDict": Container.DICT,
    "ParameterList": Container.PARAMETER_LIST,
    "ParameterDict": Container.PARAMETER_DICT,
}
"""The containers by the names of their classes in ``torch.nn.modules.container``."""


def _no_methods(_name: str) -> Sequence[Function]:
    return ()


def _no_member(_name: str) -> SugaredValue | None:
    return None


class FailedAttribute(NamedTuple):
    """Why an attribute cannot be compiled, and what to write."""

    reason: str
    way_out: str | None


@dataclass(slots=True, eq=False)
class ConcreteModuleType:
    """The type of one module, or of several that have the same attributes.

    ``modules`` are the types of its submodules, in order; ``functions`` its attributes that are no
    values; ``failed`` those that cannot be compiled, with the reason. ``find_methods`` declares
    further methods when they are first called, all overloads of a name; ``find_member`` gives what
    else the class has: static methods, constants, methods left to Python.
    """

    type: ClassType
    modules: dict[str, ConcreteModuleType] = field(default_factory=dict)
    container: Container | None = None
    functions: dict[str, SugaredValue] = field(default_factory=dict)
    failed: dict[str, FailedAttribute] = field(default_factory=dict)
    find_methods: Callable[[str], Sequence[Function]] = _no_methods
    find_member: Callable[[str], SugaredValue | None] = _no_member

    @property
    def elements(self) -> tuple[str, ...]:
        """The names of what a container holds, in order."""
        if self.container is not None and self.container.holds_parameters:
            return tuple(each.name for each in self.type.attributes.values() if each.is_parameter)
        return tuple(self.modules)
