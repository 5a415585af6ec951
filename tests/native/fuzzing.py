"""Random programs by native code and by bytecode, in processes that may die; what fails is made short."""

from __future__ import annotations

import faulthandler
import functools
import gc
import multiprocessing
import os
import signal
import textwrap
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import tsc
from tests.serialization.fuzzing import Outcome, megabytes
from tsc.runtime.context.hooks import code_making
from tsc.runtime.native.code import engine, object_cache

from .agreement import disagreement, make_code_at_first, share_by_threads
from .guarded_memory import IS_POSSIBLE, GuardedMemory
from .random_cases import KINDS, Case, case_of

UNGUARDED: Final = 9
"""One of so many parts runs with memory as it is, which is used again and again."""
HANDED_OVER: Final = 4
"""In one of so many parts, native code takes loops over in their middle."""
_LEVELS: Final = (3, 0, 0, 0, 0, 1, 0, 0, 0, 0)
"""How far LLVM optimizes the code of a part and those after it: it makes others in a tenth of the time."""
_ALL: Final = 3
"""The level at which instructions of the processor are optimized, too, which takes as long again."""
_THREADS: Final = (1, 2, 7)
"""That programs run by, in turn."""
_PATIENCE: Final = 60
"""Seconds for a program."""
_SHOWN: Final = 2000
"""Characters of arguments; the number of the program makes all of them again."""


Judge = Callable[[int, GuardedMemory], str | None]
"""Says why the program of a number is wrong."""


def said(judge: Judge) -> str | None:
    """What a process of its own, whose memory is guarded, says of something, or how it dies."""

    def guarded(number: int, guard: GuardedMemory | None) -> str | None:
        assert guard is not None
        return judge(number, guard)

    return next(_told(range(1), guarded))[1]


def run_part(first: int, count: int) -> Outcome:
    """Try the programs of `count` numbers from `first` on, until one goes wrong."""
    _prepare()
    number, failure = first, None
    for number, failure in _told(range(first, first + count), _judge):
        if failure is not None:
            failure = f"program {number}: {_shown(number, failure)}"
            break
    return Outcome(number - first + 1, 0, megabytes(), 0.0, failure)


@functools.cache
def _prepare() -> None:
    """Load once what all children need, by programs of each kind that run without code that might end the process."""
    warnings.simplefilter("ignore")
    code_making()
    for number in range(2 * len(KINDS)):
        with suppress(tsc.CompileError):
            disagreement(case_of(number), number, plan="python")
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def _judge(number: int, guard: GuardedMemory | None) -> str | None:
    return _failure(case_of(number), number, guard)


def _failure(case: Case, number: int, guard: GuardedMemory | None) -> str | None:
    try:
        return disagreement(case, number, guard, hands_over=hands_over(number))
    except tsc.CompileError:
        return None  # not every random text is a program
    except Exception:  # noqa: BLE001  whatever is raised was looked for
        return traceback.format_exc(limit=-6)


def _part(number: int) -> int:
    return number // 100


def is_guarded(number: int) -> bool:
    """Whether the program of a number runs with guarded memory."""
    return IS_POSSIBLE and _part(number) % UNGUARDED != 1


def hands_over(number: int) -> bool:
    """Whether loops of the program of a number begin in Python."""
    return _part(number) % HANDED_OVER == 2


def threads_of(number: int) -> int:
    """How many threads the program of a number may use."""
    return _THREADS[number // len(KINDS) % len(_THREADS)]


def level_of(number: int) -> int:
    """How far LLVM optimizes the code of the program of a number."""
    return _LEVELS[_part(number) % len(_LEVELS)]


def _told(
    numbers: range, judge: Callable[[int, GuardedMemory | None], str | None]
) -> Iterator[tuple[int, str | None]]:
    """What a process says of each program: nothing, or why it is wrong. The death of the process is said as well."""
    context = multiprocessing.get_context("fork")
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=_say, args=(writer, numbers, judge), daemon=True)
    process.start()
    writer.close()
    number = numbers[0]
    try:
        for number in numbers:
            if not reader.poll(_PATIENCE):
                process.kill()
                yield number, f"takes more than {_PATIENCE} s"
                return
            yield number, reader.recv()
    except EOFError:
        process.join()
        yield number, f"the process died: {_reason(process.exitcode)}"
    finally:
        process.join()


def _reason(code: int | None) -> str:
    return signal.Signals(-code).name if code is not None and code < 0 else f"exit {code}"


def _say(
    writer: Any, numbers: range, judge: Callable[[int, GuardedMemory | None], str | None]
) -> None:
    faulthandler.disable()  # the parent tells of the signal
    os.environ[object_cache.VARIABLE] = "off"
    make_code_at_first()
    level = level_of(numbers[0])
    engine.Module.__init__.__kwdefaults__["level"] = level
    engine._FASTEST = level if level == _ALL else 0  # type: ignore[misc]
    guard = GuardedMemory() if is_guarded(numbers[0]) else None
    for number in numbers:
        share_by_threads(threads_of(number))
        writer.send(judge(number, guard))


# What fails is made short ------------------------------------------------------------------------


def _shown(number: int, failure: str) -> str:
    case = shortened(case_of(number), number)
    shown = f"{failure}\nguarded: {is_guarded(number)}, optimized: {level_of(number)}, threads: {threads_of(number)}"
    arguments = textwrap.shorten(str(case.calls(number)), _SHOWN)
    return f"{shown}\n{case.source}\narguments: {arguments}"


def shortened(case: Case, number: int) -> Case:
    """The same with as few statements as still fail for these arguments."""
    lines = case.source.rstrip("\n").split("\n")
    place = len(lines) - 1
    while place > 0:
        for end in {_end_of_block(lines, place), place + 1}:
            fewer = replace(case, source="\n".join([*lines[:place], *lines[end:]]) + "\n")
            if _fails(fewer, number):
                lines = fewer.source.rstrip("\n").split("\n")
                break
        place = min(place, len(lines)) - 1
    return replace(case, source="\n".join(lines) + "\n")


def _fails(case: Case, number: int) -> bool:
    def judge(number: int, guard: GuardedMemory | None) -> str | None:
        return _failure(case, number, guard)

    return any(failure is not None for _, failure in _told(range(number, number + 1), judge))


def _end_of_block(lines: list[str], place: int) -> int:
    """Where the statement that begins with a line ends, with the lines that belong to it."""
    margin = _margin(lines[place])
    after = (end for end in range(place + 1, len(lines)) if _margin(lines[end]) <= margin)
    return next(after, len(lines))


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())
