"""The evaluator: the state of one evaluation, and the doors to its parts.

Trees are walked by tables from their classes to functions: `expressions` and `statements`. Calls
are in `calls`, attributes in `attributes`, classes in `class_bodies`, names in `scopes`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tsc.compiler.compile import Toolchain
from tsc.compiler.frontend.tree_views import Expr, Stmt
from tsc.compiler.process_settings import deep_recursion
from tsc.runtime.construction import attributes, calls, expressions, operations, statements
from tsc.runtime.construction.errors import HOST_ERRORS, ConstructionError, as_construction_error
from tsc.runtime.construction.frames import Frame
from tsc.runtime.construction.iteration import MOST_ELEMENTS, Elements
from tsc.runtime.construction.scopes import Scope
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.limits import current_limits, meter_of

if TYPE_CHECKING:
    from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
    from tsc.runtime.construction.values import ClassObject

_DEEPEST_CALLS = 1000  # as in Python
_DEEPEST_RECURSION = 30_000  # of the evaluator itself, which needs a dozen calls for one


class Evaluator:
    """Evaluates texts and what they import. Scopes and classes are made once in its life."""

    def __init__(self, toolchain: Toolchain) -> None:
        self.toolchain = toolchain
        self.scopes: dict[int, Scope] = {}
        self.enum_classes: dict[str, ClassObject] = {}
        self.named_tuple_classes: dict[type, ClassObject] = {}
        self.frame: Frame | None = None
        self._depth = 0
        self._begin_counting()

    def scope_of(self, resolver: SourceResolver) -> Scope:
        """The global names of the file that a resolver resolves."""
        found = self.scopes.get(id(resolver))
        if found is None:
            found = self.scopes[id(resolver)] = Scope(self, resolver)
        return found

    # -- Trees -------------------------------------------------------------------------------

    def evaluate(self, tree: Expr, frame: Frame) -> Any:
        return expressions.EXPRESSIONS[type(tree)](self, tree, frame)

    def execute(self, block: Sequence[Stmt], frame: Frame) -> statements.Signal | None:
        """Run statements; what ends them early, if anything does."""
        for statement in block:
            signal = statements.STATEMENTS[type(statement)](self, statement, frame)
            if signal is not None:
                return signal
        return None

    # -- Values ------------------------------------------------------------------------------

    def call(self, function: Any, arguments: Sequence[Any] = (), keywords: Any = None) -> Any:
        return calls.call(self, function, list(arguments), keywords or {})

    def call_method(self, value: Any, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        return self.call(attributes.get_attribute(self, value, name), arguments, keywords)

    def get_attribute(self, value: Any, name: str) -> Any:
        return attributes.get_attribute(self, value, name)

    def set_attribute(self, value: Any, name: str, item: Any) -> None:
        attributes.set_attribute(self, value, name, item)

    def iterate(self, value: Any) -> Iterator[Any]:
        """The elements of a value; each costs a step."""
        return Elements(self, operations.iterator(self, value))

    def listed(self, value: Any) -> list[Any]:
        return list(self.iterate(value))

    def truth(self, value: Any) -> bool:
        return operations.truth(self, value)

    def text(self, value: Any) -> str:
        return operations.text(self, value)

    # -- Limits and errors -------------------------------------------------------------------

    def step(self) -> None:
        """Count a call or the turn of a loop. Raises ScriptError when a limit is reached."""
        self._steps_left -= 1
        if self._steps_left <= 0:
            self._steps_left = self._meter.portion()

    def check_size(self, count: int) -> None:
        """Refuse a sequence that would be too large."""
        if count > MOST_ELEMENTS:
            raise MemoryError(f"a sequence of {count} elements is too large")

    def _begin_counting(self) -> None:
        self._limits = current_limits()
        self._meter = meter_of(self._limits)
        self._steps_left = 1

    @contextmanager
    def running(self) -> Generator[None]:
        """An evaluation from outside: under the limits in force, errors as a program sees them."""
        if self._depth:
            yield
            return
        self._begin_counting()
        with deep_recursion(_DEEPEST_RECURSION):
            try:
                yield
            except HOST_ERRORS as error:
                raise as_construction_error(error) from error

    @contextmanager
    def entered(self, frame: Frame, name: str) -> Generator[None]:
        """A frame that runs: errors that leave it tell where it was."""
        self.step()
        if self._depth >= min(_DEEPEST_CALLS, self._limits.max_frames):
            raise ConstructionError(
                "RecursionError", f"maximum recursion depth exceeded: {self._depth} calls are open"
            )
        self._depth += 1
        outer, self.frame = self.frame, frame
        try:
            yield
        except (ScriptError, *HOST_ERRORS) as error:
            raise as_construction_error(error).passing(name, frame.position) from error
        finally:
            self.frame = outer
            self._depth -= 1
