"""What values, classes and scopes need of the evaluator, and of each other, to answer for themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from tsc.compiler.compile import Toolchain
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.frontend.tree_views import Expr, Stmt
from tsc.compiler.source import UNKNOWN_RANGE, SourceRange


class Missing:
    """What a lookup gives that finds nothing; None is a value."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()


class Scope(Protocol):
    """The global names of one file."""

    @property
    def evaluator(self) -> Evaluator: ...

    @property
    def resolver(self) -> SourceResolver: ...

    def value_of(self, name: str, range: SourceRange, /) -> Any: ...

    def find(self, name: str, range: SourceRange, /) -> Any: ...

    def builtin(self, name: str, /) -> Any: ...

    def imported(self, module: Any, range: SourceRange, /) -> Any: ...

    def imported_name(self, module: Any, name: str, range: SourceRange, /) -> Any: ...


@dataclass(slots=True, eq=False)
class Frame:
    """The variables of one running function, class body or comprehension.

    Names not in `locals` are looked for in the `outer` frames, then in the `scope` of the file.
    `position` is what is being evaluated, for errors. `owner`, the class around a method, and
    `receiver`, its first argument, are what ``super()`` needs.
    """

    scope: Scope
    outer: Frame | None = None
    locals: dict[str, Any] = field(default_factory=dict)
    owner: Any = None
    receiver: Any = None
    is_function: bool = False
    is_class: bool = False
    position: SourceRange = UNKNOWN_RANGE


@dataclass(frozen=True, slots=True)
class Signal:
    """What ends a block early: ``break``, ``continue`` or ``return`` with its value."""

    kind: str
    value: Any = None


class Identities(Protocol):
    """What ``id`` and ``hash`` give: the same in every process, and no addresses of it."""

    def of(self, value: Any) -> int: ...

    def hash_of(self, value: Any) -> int: ...


class Evaluator(Protocol):
    """The doors through which a value asks about others, whoever implements them.

    A question about a value goes to that value, or to the behaviour of its host type. Errors are
    those of Python: TypeError, AttributeError and so on.
    """

    toolchain: Toolchain
    enum_classes: dict[str, Any]
    named_tuple_classes: dict[type, Any]
    identities: Identities

    # -- Trees and files
    def evaluate(self, tree: Expr, frame: Frame) -> Any: ...

    def execute(self, block: Sequence[Stmt], frame: Frame) -> Signal | None: ...

    def scope_of(self, resolver: SourceResolver) -> Scope: ...

    def member_of(self, path: str, name: str) -> Any: ...

    def similar_member(self, path: str, name: str) -> str | None: ...

    # -- Attributes and calls
    def find_attribute(self, value: Any, name: str) -> Any: ...

    def get_attribute(self, value: Any, name: str) -> Any: ...

    def set_attribute(self, value: Any, name: str, item: Any) -> None: ...

    def call(self, function: Any, arguments: Sequence[Any] = (), keywords: Any = None) -> Any: ...

    def call_method(self, value: Any, name: str, /, *arguments: Any, **keywords: Any) -> Any: ...

    # -- Items and elements
    def get_item(self, value: Any, key: Any) -> Any: ...

    def iterate(self, value: Any) -> Iterator[Any]: ...

    def iterator(self, value: Any) -> Iterator[Any]: ...

    def listed(self, value: Any) -> list[Any]: ...

    def pairs(self, value: Any) -> Any: ...

    def length(self, value: Any) -> int: ...

    def contains(self, value: Any, item: Any) -> bool: ...

    # -- Operators and texts
    def binary(self, kind: str, left: Any, right: Any) -> Any: ...

    def truth(self, value: Any) -> bool: ...

    def text(self, value: Any) -> str: ...

    def representation(self, value: Any) -> str: ...

    # -- Classes
    def class_of(self, value: Any) -> Any: ...

    def is_instance(self, value: Any, classes: Any) -> bool: ...

    # -- Limits
    def step(self) -> None: ...

    def charge_operator(self, kind: str, arguments: Sequence[Any]) -> None: ...

    def check_size(self, count: int, size: int = 8) -> None: ...

    def is_library_frame(self, path: str) -> bool: ...

    def entered(self, frame: Frame, name: str) -> AbstractContextManager[None]: ...

    def running(self) -> AbstractContextManager[None]: ...
