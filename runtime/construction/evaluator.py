"""The evaluator: the state of one evaluation, and the doors to values and trees.

Trees are walked by tables from their classes to functions: `expressions` and `statements`. What is
asked of a value is answered by the value (`values`) or by the behaviour of its host type (`host`).
Names are in `scopes`, operators between two values in `operations`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tsc.compiler.budget import LimitReached, charging, reserve
from tsc.compiler.compile import Toolchain
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.frontend.tree_views import Expr, Stmt
from tsc.compiler.process_settings import deep_recursion
from tsc.compiler.source import Error
from tsc.runtime.construction import (
    expressions,
    instance_tests,
    namespaces,
    operations,
    statements,
)
from tsc.runtime.construction.errors import HOST_ERRORS, ConstructionError, as_construction_error
from tsc.runtime.construction.hashing import Identities
from tsc.runtime.construction.host.host_types import as_value
from tsc.runtime.construction.iteration import MOST_ELEMENTS, Elements
from tsc.runtime.construction.scopes import FileScope
from tsc.runtime.construction.values.classes import ClassObject
from tsc.runtime.construction.values.protocol import MISSING, Evaluator, Frame, Signal
from tsc.runtime.context.array_memory import watch_allocations
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.limits import current_limits, meter_of
from tsc.runtime.execution.predicted_work import charge_operator

watch_allocations()

_DEEPEST_CALLS = 1000  # as in Python
_DEEPEST_RECURSION = 30_000  # of the evaluator itself, which needs a dozen calls for one


class SourceEvaluator(Evaluator):
    """Evaluates texts and what they import. Scopes and classes are made once in its life."""

    def __init__(self, toolchain: Toolchain) -> None:
        self.toolchain = toolchain
        self.scopes: dict[int, FileScope] = {}
        self.enum_classes: dict[str, ClassObject] = {}
        self.named_tuple_classes: dict[type, ClassObject] = {}
        self.identities = Identities()
        self.frame: Frame | None = None
        self._depth = 0
        self._begin_counting()

    # -- Trees and files ---------------------------------------------------------------------

    def evaluate(self, tree: Expr, frame: Frame) -> Any:
        return expressions.EXPRESSIONS[type(tree)](self, tree, frame)

    def execute(self, block: Sequence[Stmt], frame: Frame) -> Signal | None:
        """Run statements; what ends them early, if anything does."""
        for statement in block:
            signal = statements.STATEMENTS[type(statement)](self, statement, frame)
            if signal is not None:
                return signal
        return None

    def scope_of(self, resolver: SourceResolver) -> FileScope:
        """The global names of the file that a resolver resolves."""
        found = self.scopes.get(id(resolver))
        if found is None:
            found = self.scopes[id(resolver)] = FileScope(self, resolver)
        return found

    def member_of(self, path: str, name: str) -> Any:
        return namespaces.member(self, path, name)

    def similar_member(self, path: str, name: str) -> str | None:
        return namespaces.similar(path, name)

    # -- Attributes and calls ----------------------------------------------------------------

    def find_attribute(self, value: Any, name: str) -> Any:
        """``value.name``, or `MISSING`."""
        return as_value(value).find_attribute(self, name)

    def get_attribute(self, value: Any, name: str) -> Any:
        """``value.name``; raises AttributeError if there is none."""
        asked = as_value(value)
        found = asked.find_attribute(self, name)
        if found is MISSING:
            raise AttributeError(asked.no_attribute(self, name))
        return found

    def set_attribute(self, value: Any, name: str, item: Any) -> None:
        as_value(value).set_attribute(self, name, item)

    def call(self, function: Any, arguments: Sequence[Any] = (), keywords: Any = None) -> Any:
        return as_value(function).call(self, list(arguments), keywords or {})

    def call_method(self, value: Any, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        return self.call(self.get_attribute(value, name), arguments, keywords)

    # -- Items and elements ------------------------------------------------------------------

    def get_item(self, value: Any, key: Any) -> Any:
        return as_value(value).get_item(self, key)

    def iterate(self, value: Any) -> Iterator[Any]:
        """The elements of a value; each costs a step."""
        return Elements(self, self.iterator(value))

    def iterator(self, value: Any) -> Iterator[Any]:
        """``iter(value)``"""
        return as_value(value).iterator(self)

    def listed(self, value: Any) -> list[Any]:
        return list(self.iterate(value))

    def pairs(self, value: Any) -> Any:
        return as_value(value).pairs(self)

    def length(self, value: Any) -> int:
        return as_value(value).length(self)

    def contains(self, value: Any, item: Any) -> bool:
        """``item in value``"""
        return as_value(value).contains(self, item)

    # -- Operators and texts -----------------------------------------------------------------

    def binary(self, kind: str, left: Any, right: Any) -> Any:
        return operations.binary(self, kind, left, right)

    def truth(self, value: Any) -> bool:
        return value if value is True or value is False else as_value(value).truth(self)

    def text(self, value: Any) -> str:
        self.step()
        return as_value(value).text(self)

    def representation(self, value: Any) -> str:
        self.step()
        return as_value(value).representation(self)

    # -- Classes -----------------------------------------------------------------------------

    def class_of(self, value: Any) -> ClassObject:
        return instance_tests.class_of(self, value)

    def is_instance(self, value: Any, classes: Any) -> bool:
        return instance_tests.is_instance(self, value, classes)

    # -- Limits and errors -------------------------------------------------------------------

    def step(self) -> None:
        """Count a call or the turn of a loop. Raises ScriptError when a limit is reached."""
        self._steps_left -= 1
        if self._steps_left <= 0:
            self._steps_left = self._meter.portion()

    def charge_operator(self, kind: str, arguments: Sequence[Any]) -> None:
        """Before an operator, which may take long. Raises LimitReached."""
        budget = self._limits.budget
        if budget is not None:
            charge_operator(budget, kind, arguments)

    def check_size(self, count: int, size: int = 8) -> None:
        """Refuse a sequence that would be too large: `count` elements of `size` bytes."""
        if count > MOST_ELEMENTS:
            raise MemoryError(f"a sequence of {count} elements is too large")
        reserve(count * size)

    def is_library_frame(self, path: str) -> bool:
        """Whether what runs is of that file of the library: `torch.nn.modules.linear`."""
        return self.frame is not None and self.frame.scope is self.scopes.get(
            id(self.toolchain.library_file(path))
        )

    def _begin_counting(self) -> None:
        self._limits = current_limits()
        self._meter = meter_of(self._limits)
        self._steps_left = 1

    @contextmanager
    def running(self) -> Generator[None]:
        """An evaluation from outside: paid from a budget, errors as a program sees them."""
        if self._depth:
            yield
            return
        with charging(), deep_recursion(_DEEPEST_RECURSION):
            self._begin_counting()
            try:
                yield
            except (LimitReached, *HOST_ERRORS) as error:
                if isinstance(error, Error) and not isinstance(error, LimitReached):
                    raise
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
        except (ScriptError, LimitReached, *HOST_ERRORS) as error:
            if isinstance(error, Error) and not isinstance(error, ScriptError | LimitReached):
                raise
            raise as_construction_error(error).passing(name, frame.position) from error
        finally:
            self.frame = outer
            self._depth -= 1
