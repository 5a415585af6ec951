"""What the parts of this room need of each other: the compilation of which they are parts, and its names."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any, Protocol

from tsc.compiler.emit.protocols import Resolver

if TYPE_CHECKING:
    from tsc.compiler.compile import Toolchain
    from tsc.compiler.emit.protocols import Emitter, SugaredValue
    from tsc.compiler.frontend.annotations import ScriptTypeParser
    from tsc.compiler.frontend.tree_views import Def
    from tsc.compiler.ir import Function
    from tsc.compiler.source import SourceRange
    from tsc.compiler.types import Type


class Names(Resolver, Protocol):
    """The names around a function or class, as the running interpreter has them."""

    @property
    def types(self) -> ScriptTypeParser: ...


class LiveCompilation(Protocol):
    """Functions and classes of Python, compiled when they are first asked for."""

    @property
    def toolchain(self) -> Toolchain: ...

    def function(self, function: FunctionType) -> Function:
        """The function as the compiler knows it. Raises `NoSource` and `CompileError`."""
        ...

    def functions(self, function: FunctionType) -> tuple[Function, ...]:
        """What a call of the function chooses from."""
        ...

    def definition(self, function: FunctionType) -> tuple[Def, Names]:
        """What a function's text says, with its defaults as they are, and what its names mean."""
        ...

    def defined(self, name: str, definition: Def, resolver: Resolver) -> Function: ...

    def function_from(self, name: str, definition: Def, resolver: Resolver) -> Function:
        """A new function that a definition gave rise to."""
        ...

    def meaning(
        self, value: Any, name: str, emitter: Emitter, range: SourceRange, *, closed: bool = True
    ) -> SugaredValue:
        """What an object means in a program; `closed` over, it should rather be an argument."""
        ...

    def type_of_annotation(
        self, annotation: Any, resolver: Names, range: SourceRange
    ) -> Type | None: ...

    def type_of_class(self, cls: type, range: SourceRange) -> Type | None:
        """The type that a class is; None if programs cannot use it."""
        ...

    def compile_class(self, cls: type, range: SourceRange) -> None:
        """Compile the methods of a class, so that all that they set and return is known."""
        ...
