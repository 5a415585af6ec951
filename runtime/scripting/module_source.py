"""What scripting asks of a module, wherever it comes from: an evaluated source file, or Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tsc.compiler.emit.protocols import Resolver, SugaredValue
    from tsc.compiler.emit.sugared_values.concrete_module_types import Container
    from tsc.compiler.frontend.tree_views import Def
    from tsc.compiler.types import Type
    from tsc.runtime.values.tensor import Tensor


@dataclass(frozen=True, slots=True)
class MethodSource:
    """A method as it is written, and the resolver of the names in it."""

    definition: Def
    resolver: Resolver


@dataclass(frozen=True, slots=True)
class PropertySource:
    getter: MethodSource
    setter: MethodSource | None = None


class ModuleSource(Protocol):
    """One module. All mappings are in the order in which PyTorch lists their names.

    What it holds is found out once, when it is first asked for: the same tensors and modules from then on.
    `identity` is the same object for the same module; modules may be shared.
    """

    @property
    def identity(self) -> object: ...

    @property
    def qualified_name(self) -> str:
        """PyTorch's name of the class: ``__torch__.torch.nn.modules.linear.Linear``."""
        ...

    @property
    def container(self) -> Container | None: ...

    @cached_property
    def parameters(self) -> Mapping[str, Tensor | None]: ...

    @cached_property
    def buffers(self) -> Mapping[str, Tensor | None]: ...

    @cached_property
    def modules(self) -> Mapping[str, ModuleSource | None]: ...

    @cached_property
    def attributes(self) -> Mapping[str, Any]:
        """What else `__init__` set, ``training`` first."""
        ...

    @cached_property
    def constants(self) -> Mapping[str, Any]:
        """The values of what ``__constants__`` and ``Final`` name."""
        ...

    def length(self) -> int:
        """What ``len`` says of a container, by the class's own ``__len__`` if it has one."""
        return len(self.modules)

    def annotation(self, name: str) -> Type | None:
        """The type that the class declares for an attribute."""
        ...

    def method(self, name: str) -> MethodSource | None: ...

    def overloads(self, name: str) -> Sequence[MethodSource]:
        """A method that has overloads, once for each of them, under names that tell them apart."""
        return ()

    @property
    def entry_points(self) -> Sequence[str]:
        """The methods that are compiled whether they are called or not: ``forward``, exported ones."""
        ...

    @property
    def properties(self) -> Mapping[str, PropertySource]: ...

    @property
    def pre_hooks(self) -> Sequence[MethodSource]: ...

    @property
    def hooks(self) -> Sequence[MethodSource]: ...

    def function(self, name: str) -> SugaredValue | None:
        """The meaning of an attribute that is a function."""
        ...

    def class_member(self, name: str) -> SugaredValue | None:
        """What else the class has: static methods, methods left to Python, constants."""
        ...
