"""Functions and methods whose calls a backend computes: captured for the sizes they meet, and run here where not."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from tsc.compiler.exir.delegation.effects import written_nodes
from tsc.compiler.ir import Graph, prim
from tsc.compiler.source import Error
from tsc.runtime.backends.handing_over import BackendProgram, to_backend
from tsc.runtime.context.grad_mode import GradMode, is_grad_enabled
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.exporting.capture import export
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.python_api.script_module import ModuleMethod
from tsc.runtime.values.tensor import Tensor

_MOST_PROGRAMS: Final = 16
"""Of one function, for different sizes: those used longest ago are made anew."""
_MOST_CHANGES: Final = 4
"""Of what a module holds, after which its programs are not made again: it runs here."""


class State:
    """How often what a module holds has changed since it was given to a backend, and how often by its own calls."""

    def __init__(self) -> None:
        self.changes = 0
        self.by_calls = 0

    def changed_by_call(self) -> None:
        """A call has written to something, or may have."""
        self.changes += 1
        self.by_calls += 1


@dataclass(slots=True)
class _Made:
    """What runs calls of one kind, or the reason why they run here.

    `state` is how often the module had changed when it was made.
    """

    run: Callable[..., Any] | None = None
    program: BackendProgram | None = None
    changes_state: bool = False
    state: int = 0
    reason: str = ""


@dataclass(slots=True)
class BackendFunction:
    """A function or a method. Calls with arguments of one kind (sizes, dtypes, other values) share a program."""

    function: ModuleMethod | ScriptFunction
    backend: str
    state: State = field(default_factory=State)
    _made: OrderedDict[Any, _Made] = field(default_factory=OrderedDict[Any, _Made])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The result; raises what the function raises."""
        records = is_grad_enabled()
        if records and any(each.requires_grad for each in _tensors((args, kwargs))):
            return self._here(args, kwargs)
        key = _kind_of_call(args, kwargs)
        if key is None:
            return self._here(args, kwargs)
        made = self._made.get(key)
        if made is None or (made.run is not None and made.state != self.state.changes):
            made = self._made[key] = self._make(args, kwargs)
        self._made.move_to_end(key)
        if len(self._made) > _MOST_PROGRAMS:
            self._made.popitem(last=False)
        if made.run is None:
            return self._here(args, kwargs)
        if records:
            with GradMode(False):
                result = made.run(*args, **kwargs)
        else:
            result = made.run(*args, **kwargs)
        if made.changes_state:
            self.state.changed_by_call()
            made.state = self.state.changes
        return result

    def report(self, *args: Any, **kwargs: Any) -> str:
        """What of a call with such arguments the backend computes, and what not and why."""
        made = self._made.get(_kind_of_call(args, kwargs))
        if made is None or made.program is None:
            return f"{self.backend}: nothing is handed over" + (f": {made.reason}" if made else "")
        return made.program.report()

    def _here(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        result = self.function(*args, **kwargs)
        if _changes_state(self.function.inlined_graph):
            self.state.changed_by_call()
        return result

    def _make(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> _Made:
        """A program of the function for such arguments; the function itself where it cannot be captured."""
        if self.state.by_calls > _MOST_CHANGES:
            return _Made(reason="what the module holds changes between calls")
        try:
            with GradMode(False):
                program = to_backend(export(self.function, args, kwargs), self.backend)
            run = program.module()
        except Error as error:
            return _Made(reason=str(error).splitlines()[0])
        return _Made(run, program, _writes(program), self.state.changes)


def _changes_state(graph: Graph) -> bool:
    """Whether a call may change attributes, or write to something."""
    return any(
        node.kind == prim.SetAttr
        or (
            node.operator is not None
            and any(each.is_write for each in node.operator.schema.arguments)
        )
        for node in graph.all_nodes()
    )


def _writes(program: BackendProgram) -> bool:
    """Whether a program writes to parameters, buffers or constants, or to anything that may look into them."""
    operators = toolchain().operators
    return any(written_nodes(node, operators) for node in program.graph.nodes)


def _tensors(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(cast("dict[Any, Any]", value).values())
    if isinstance(value, list | tuple):
        return [found for each in cast("Sequence[Any]", value) for found in _tensors(each)]
    return []


def _kind_of_call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """As `_kind_of`: that of tensors alone, which most calls give, is found with little work."""
    if kwargs or any(type(each) is not Tensor for each in args):
        return _kind_of((args, kwargs))
    arrays = [each.array for each in args]
    return tuple([(each.shape, each.dtype) for each in arrays])


def _kind_of(value: Any) -> Any:
    """What arguments have to have in common to share a program, hashable; None for those that have no program."""
    if isinstance(value, Tensor):
        return value.array.shape, value.array.dtype
    if isinstance(value, bool | int | float | str | None):
        return type(value), repr(value)
    if isinstance(value, list | tuple):
        kinds = [_kind_of(each) for each in cast("Sequence[Any]", value)]
        return None if None in kinds else (type(value), *kinds)
    if isinstance(value, dict):
        found = [(str(key), _kind_of(each)) for key, each in cast("dict[Any, Any]", value).items()]
        return None if any(each is None for _, each in found) else (dict, *found)
    return None
