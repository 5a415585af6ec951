"""The plan of Python functions: how a call from outside comes to a function of a program.

There are two forms of each function. One counts nothing. The other counts steps and open calls, for executions under
limits, and for programs that may call deeper than Python lets functions call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import local
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from numpy import errstate

from tsc.compiler.budget import NO_LIMITS, Limits, charging, current_limits
from tsc.compiler.ir import Function, Graph
from tsc.compiler.pipelines import stage
from tsc.compiler.process_settings import deep_recursion
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.execution.fast_kernels import fast_kernel
from tsc.runtime.execution.making import making
from tsc.runtime.execution.python.expressions import Kernels
from tsc.runtime.execution.python.function_writer import Written, write_function
from tsc.runtime.execution.python.generated import function_in_waiting, prepare
from tsc.runtime.execution.python.lifetimes import NestedTooDeeply
from tsc.runtime.execution.python.meter import Meter
from tsc.runtime.execution.python.places import running
from tsc.runtime.execution.tracebacks import located

if TYPE_CHECKING:
    from tsc.runtime.execution.bytecode.plan import BytecodePlan

_MOST_PROGRAMS: Final = 64
"""Executions within one another: operators that run programs take of the processor's stack."""
_OTHER_FRAMES: Final = 5_000
"""Beside those of the program: of who called it, and of kernels."""
_MOST_FRAMES: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class PlanSource:
    """What a plan is made of. It is asked for when the function is first called.

    `callee` gives the plan of a function that is called; `bytecode` the one for what Python cannot compile, and for
    executions that are paid from a budget. `kernels` gives what nodes run. `calls_deeply` says whether calls may go
    deeper than Python's do.
    """

    function: Function
    graph: Callable[[], Graph]
    callee: Callable[[Function], PythonPlan]
    bytecode: Callable[[], BytecodePlan]
    calls_deeply: Callable[[], bool]
    computes_with_numpy: Callable[[], bool]
    kernels: Kernels = fast_kernel


class PythonPlan:
    """A function as Python functions."""

    __slots__ = ("_always_errstate", "_deep", "_free", "_is_made", "_metered", "_source")

    def __init__(self, source: PlanSource) -> None:
        self._source = source
        self._free: FunctionType | None = None
        self._metered: FunctionType | None = None
        self._deep: bool | None = None
        self._always_errstate = True
        self._is_made = [False, False]

    def run(self, inputs: Sequence[Any]) -> Any:
        """The single output, or a tuple of several. Infinities and NaNs are results: NumPy does not warn of them."""
        limits = current_limits()
        function = self._free
        if limits is not NO_LIMITS or self._deep is not False or function is None:
            return self._run_with_care(inputs, limits)
        if not self._always_errstate:
            return execute(function, inputs)
        with errstate(all="ignore"):
            return execute(function, inputs)

    def _run_with_care(self, inputs: Sequence[Any], limits: Limits) -> Any:
        """What has a budget pays for each instruction, which bytecode alone has."""
        if limits.budget is not None:
            return self._source.bytecode().run(inputs)
        if limits.max_memory is not None:
            with charging(Limits()):
                return self._source.bytecode().run(inputs)
        if self._deep is None:
            with stage("python plan", self._source.function):
                self._always_errstate = self._source.computes_with_numpy()
                self._deep = self._source.calls_deeply()
        is_metered = limits != NO_LIMITS or self._deep
        function = self._prepared(len(inputs), metered=is_metered)
        with errstate(all="ignore"):
            if is_metered:
                return execute_metered(function, inputs, limits)
            return execute(function, inputs)

    def _prepared(self, parameters: int, *, metered: bool) -> FunctionType:
        """The function, made: what fails meanwhile is no error of the program."""
        function = self.function(parameters, metered=metered)
        if not self._is_made[metered]:
            prepare(function)
            self._is_made[metered] = True
        return function

    def function(self, parameters: int, *, metered: bool) -> FunctionType:
        """The Python function; a metered one takes a `Meter` before its parameters."""
        known = self._metered if metered else self._free
        if known is not None:
            return known
        with making(self._source.function):
            if metered:
                if self._metered is None:
                    self._metered = self._in_waiting(parameters + 1, metered=True)
                return self._metered
            if self._free is None:
                self._free = self._in_waiting(parameters, metered=False)
            return self._free

    def _in_waiting(self, parameters: int, *, metered: bool) -> FunctionType:
        def write() -> Written | None:
            return self._write(metered=metered)

        otherwise = self._by_bytecode_on if metered else self._by_bytecode
        return function_in_waiting(parameters, write, otherwise)

    def _write(self, *, metered: bool) -> Written | None:
        source = self._source

        def function_of(callee: Function, parameters: int) -> FunctionType:
            return source.callee(callee).function(parameters, metered=metered)

        with making(source.function), stage("python plan", source.function):
            try:
                return write_function(
                    source.graph(), source.function, function_of, source.kernels, metered=metered
                )
            except NestedTooDeeply:
                return None

    def _by_bytecode(self, *inputs: Any) -> Any:
        return self._source.bytecode().run(inputs)

    def _by_bytecode_on(self, meter: Meter, *inputs: Any) -> Any:
        return self._source.bytecode().run(inputs, meter)


def execute(function: FunctionType, inputs: Sequence[Any]) -> Any:
    """The result of a call from outside. Raises ScriptError with the stack of the program."""
    try:
        return function(*inputs)
    except Exception as error:
        traceback = None if error.__traceback__ is None else error.__traceback__.tb_next
        failure = located(error, list(running(traceback, execute.__code__)))
        if failure is error:
            raise
        raise failure.with_traceback(traceback) from error


class _Open(local):
    """The executions under limits that are open in a thread."""

    count = 0


_open: Final = _Open()


def execute_metered(function: FunctionType, inputs: Sequence[Any], limits: Limits) -> Any:
    """The same for a function that counts. A call may take two frames, as long as functions are being made."""
    if _open.count >= _MOST_PROGRAMS:
        message = f"maximum recursion depth exceeded: {_open.count} programs run within each other"
        raise ScriptError("RuntimeError", message)
    _open.count += 1
    try:
        with deep_recursion(2 * min(limits.max_frames, _MOST_FRAMES) + _OTHER_FRAMES):
            return execute(function, (Meter(limits), *inputs))
    finally:
        _open.count -= 1
