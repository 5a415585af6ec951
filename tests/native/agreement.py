"""Whether native code does the same as bytecode: results, errors, output, what becomes of arguments, and aliases."""

from __future__ import annotations

import contextlib
import io
import math
import struct
import sys
import textwrap
import traceback
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from typing import Any, Final

import numpy as np

import tsc
from tsc.runtime.context import native_availability
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.execution.executor_mode import chosen_plan
from tsc.runtime.execution.graph_executor import executor_of
from tsc.runtime.execution.plan_keys import PlanKey
from tsc.runtime.native.code import parallel_rows
from tsc.runtime.native.code.background import BACKGROUND
from tsc.runtime.native.fusion import fusion_groups
from tsc.runtime.native.large_arrays import large_arrays
from tsc.runtime.native.regions import groups
from tsc.runtime.numerics.neural import native_work

from .guarded_memory import GuardedMemory
from .random_cases import Case
from .recorded_runs import recorded

_ELEMENTS_OF_THREAD: Final = parallel_rows._ELEMENTS_OF_THREAD
_SHOWN: Final = 1500
"""Characters of an outcome that is not as it should be."""
Outcome = tuple[Any, str, list[Any]]
"""What a call gives, or its error; what it prints; and its arguments afterwards."""


def disagreement(
    case: Case,
    seed: int,
    guard: GuardedMemory | None = None,
    *,
    plan: str = "native",
    hands_over: bool = False,
) -> str | None:
    """What a plan does otherwise than bytecode for arguments of a seed; None if nothing.

    With a guard, all happens once more with results and lists between pages that nobody may touch. With `hands_over`,
    loops begin in Python, and go on in native code.
    """
    run_by = _runs(case, seed, hands_over=hands_over)

    def outcomes(number: int) -> list[Outcome]:
        if guard is None:
            return run_by(plan, case.calls(seed))
        at_begin = bool(seed % 2) != bool(number)
        with guard.guarding(at_begin=at_begin):
            calls = case.calls(seed)
        with guard.guarding(at_begin=at_begin) if number else contextlib.nullcontext():
            return run_by(plan, calls)

    with np.errstate(all="ignore"):
        expected = run_by("bytecode", case.calls(seed))
        for number in range(1 if guard is None else 2):
            for place, pair in enumerate(zip(outcomes(number), expected)):
                found = _difference(case, *pair)
                if found is not None:
                    shown = [textwrap.shorten(str(each), _SHOWN) for each in pair]
                    return f"call {place}: {found}\n{plan}: {shown[0]}\nbytecode: {shown[1]}"
    return None


def _runs(
    case: Case, seed: int, *, hands_over: bool
) -> Callable[[str, list[list[Any]]], list[Outcome]]:
    """What runs the calls of a case by a plan."""
    function = tsc.CompilationUnit(f"import math\n{case.source}").f.function
    executor = executor_of(function)

    def run_by(plan: str, calls: list[list[Any]]) -> list[Outcome]:
        with ExitStack() as ways:
            if case.of_kernels:
                ways.enter_context(native_kernels(wanted=plan == "native"))
                plan = "bytecode"
            if plan == "bytecode" or not hands_over:
                ways.enter_context(chosen_plan(plan))
            run = executor.plan(PlanKey(plan)).run
            if case.is_recorded:
                executor.choose_again()
                run = recorded(executor.run, seed)
            return [outcome(run, each) for each in calls]

    return run_by


@contextmanager
def native_kernels(*, wanted: bool) -> Generator[None]:
    """Have kernels that are native under every plan take all work, or none, however small."""
    before = native_availability._MANY, native_work._LEAST_WORK
    least = 1 if wanted else sys.maxsize  # nothing of an empty array is ever native
    native_availability._MANY = native_work._LEAST_WORK = least  # type: ignore[misc]
    try:
        yield
    finally:
        native_availability._MANY, native_work._LEAST_WORK = before  # type: ignore[misc]


def make_code_at_first() -> None:
    """For good: groups become code when they first run, and loops that begin in Python after their first turns."""
    fusion_groups._WORTH_COMPILING = 0.0  # type: ignore[misc]
    groups._PAYS, groups._LOOKS = 0.0, math.inf  # type: ignore[misc]
    large_arrays.WORTH_MAKING = 0  # type: ignore[misc]
    BACKGROUND.is_immediate = True


def share_by_threads(count: int) -> None:
    """For good: native code has so many threads for arrays of any size, or the usual ones for large arrays alone."""
    tsc.set_num_threads(count)
    least = 1 if count > 1 else _ELEMENTS_OF_THREAD
    parallel_rows._ELEMENTS_OF_THREAD = parallel_rows._ELEMENTS_OF_AWAKE = least  # type: ignore[misc]


def outcome(run: Callable[[list[Any]], Any], arguments: list[Any]) -> Outcome:
    given, printed = _exact(arguments, {}), io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            found = run(given)
    except ScriptError as error:
        found = error
    except Exception:  # noqa: BLE001  which is a fault, and told
        found = traceback.format_exc()
    return found, printed.getvalue(), given


def _exact(value: Any, known: dict[int, Any]) -> Any:
    """The same with lists that have no room for more, and are the same where they were."""
    if isinstance(value, list):
        if id(value) not in known:
            known[id(value)] = [_exact(each, known) for each in value][:]
        return known[id(value)]
    if isinstance(value, dict):
        if id(value) not in known:
            known[id(value)] = {key: _exact(each, known) for key, each in value.items()}
        return known[id(value)]
    if isinstance(value, tuple):
        return tuple([_exact(each, known) for each in value])
    return value


def _difference(case: Case, native: Outcome, plain: Outcome) -> str | None:
    ours, theirs = native[0], plain[0]
    if isinstance(theirs, ScriptError) or isinstance(ours, ScriptError):
        if not (isinstance(theirs, ScriptError) and isinstance(ours, ScriptError)):
            return "only one has an error"
        if case.same_errors and str(ours) != str(theirs):
            return "different errors"
    if native[1] != plain[1]:
        return "different output"
    mine, other = _Walk(), _Walk()
    if isinstance(theirs, ScriptError):
        return _apart(native[2], plain[2], case, mine, other)
    return _apart((ours, native[2]), (theirs, plain[2]), case, mine, other)


class _Walk:
    """The lists, dictionaries and tensors of an outcome, by the order in which they are found."""

    def __init__(self) -> None:
        self._lists: dict[int, int] = {}
        self._tensors: list[Any] = []

    def list(self, value: Any) -> tuple[int, bool]:
        """The number of a list or dictionary, and whether it is a new one."""
        count = len(self._lists)
        return self._lists.setdefault(id(value), count), len(self._lists) > count

    def tensor(self, value: Any) -> list[bool]:
        """With which of those before it shares memory."""
        shared = [np.may_share_memory(value.array, each.array) for each in self._tensors]
        self._tensors.append(value)
        return shared


def _apart(ours: Any, theirs: Any, case: Case, mine: _Walk, other: _Walk) -> str | None:
    if isinstance(theirs, list | tuple | dict):
        kind = next(each for each in (list, tuple, dict) if isinstance(theirs, each))
        if not isinstance(ours, kind) or len(ours) != len(theirs):
            return "another length or type"
        if not isinstance(theirs, tuple):
            numbers = mine.list(ours), other.list(theirs)
            if numbers[0] != numbers[1]:
                return "other lists or dictionaries are the same"
            if not numbers[0][1]:
                return None
        if isinstance(theirs, dict):
            ours, theirs = list(ours.items()), list(theirs.items())
        pairs = (_apart(a, b, case, mine, other) for a, b in zip(ours, theirs))
        return next((each for each in pairs if each is not None), None)
    if isinstance(theirs, tsc.Tensor):
        return _tensors_apart(ours, theirs, case, mine, other)
    if type(ours) is not type(theirs):
        return f"{ours!r} instead of {theirs!r}"
    if isinstance(theirs, complex):
        pairs = ((ours.real, theirs.real), (ours.imag, theirs.imag))
        is_same = all(_alike(*pair, case.units) for pair in pairs)
    elif isinstance(theirs, float):
        is_same = _alike(ours, theirs, case.units)
    else:
        is_same = ours == theirs
    return None if is_same else f"{ours!r} instead of {theirs!r}"


def _alike(ours: float, theirs: float, units: int) -> bool:
    if struct.pack("<d", ours) == struct.pack("<d", theirs) or (ours != ours and theirs != theirs):
        return True
    return units > 0 and abs(ours - theirs) <= units * 2.0**-22 * max(abs(theirs), 1.0)


def _tensors_apart(ours: Any, theirs: Any, case: Case, mine: _Walk, other: _Walk) -> str | None:
    if not isinstance(ours, tsc.Tensor) or mine.tensor(ours) != other.tensor(theirs):
        return "another type, or other tensors share memory"
    a, b = ours.array, theirs.array
    if (a.dtype, a.shape) != (b.dtype, b.shape):
        return f"{a.dtype}{a.shape} instead of {b.dtype}{b.shape}"
    steps = [(x, y) for x, y, size in zip(a.strides, b.strides, a.shape) if size > 1 and a.size > 0]
    if any(x != y for x, y in steps):
        return f"strides {a.strides} instead of {b.strides}"
    if a.dtype.kind == "c":
        a, b = (np.ascontiguousarray(each).view(f"f{a.itemsize // 2}") for each in (a, b))
    if a.dtype.kind in "iub" or case.units == 0:
        alike = (a != a) & (b != b) | (case.zeros_are_alike & (a == 0) & (b == 0))
        wrong = ~alike & (_bits(a) != _bits(b))
    else:
        wrong = _far(a, b, case)
    if not wrong.any():
        return None
    return f"{a[wrong].flat[0]!r} instead of {b[wrong].flat[0]!r} in {a.dtype}{a.shape}"


def _bits(a: Any) -> Any:
    return np.ascontiguousarray(a).view(f"u{a.itemsize}").reshape(a.shape)


def _far(a: Any, b: Any, case: Case) -> Any:
    """Where numbers are further apart than so many units of the largest one."""
    precision = {
        2: 2.0**-10 if a.dtype == np.float16 else 2.0**-7,
        4: 2.0**-23,
        8: 2.0**-23 if case.mixed else 2.0**-52,
    }[a.itemsize]
    most = float(np.finfo(np.float16).max) if a.dtype == np.float16 else 1e38
    x, y = (np.clip(each.astype(np.float64), -most, most) for each in (a, b))
    finite = y[np.isfinite(y)]
    bound = case.units * precision * max(1.0, float(np.abs(finite).max(initial=0.0)))
    return ~((np.abs(x - y) <= bound) | (np.isnan(x) & np.isnan(y)))
