"""Turning what goes wrong in a kernel into an error of the program, with its TorchScript stack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tsc.compiler.budget import LimitReached, spent_budget
from tsc.compiler.ir import Node, prim
from tsc.compiler.source import UNKNOWN_RANGE, CompileError, note_stage
from tsc.runtime.arrays.numpy_errors import words
from tsc.runtime.context.errors import ScriptError, StackEntry
from tsc.runtime.values.text.value_printing import format_value

_KINDS = frozenset({"RuntimeError", "NotImplementedError"})
"""What an operator can raise in a program; all else becomes a RuntimeError there, as in PyTorch."""

GROUPS: Final = frozenset({prim.DifferentiableGraph, prim.FusionGroup, prim.NativeGroup})
"""Nodes with a graph of their own, whose nodes belong to the function that the group is in."""

Running = Sequence[tuple[str, Node]]
"""The open frames, the outermost first: the name of the function and the node it has reached."""


def located(error: Exception, frames: Running) -> Exception:
    """The error to raise for `error`, which came out of the innermost frame.

    What is no error of the program stays what it is, with a note that names the operator and its place.
    """
    translated = script_error(error)
    if isinstance(translated, ScriptError):
        if translated.class_name is None and translated.kind not in _KINDS:
            translated.kind = "RuntimeError"
        outer = list(_open_entries(frames))
        translated.stack = (*outer, *_in_its_function(translated.stack, frames))
    elif frames:
        note_operator(error, frames[-1][1])
    return translated


def _open_entries(frames: Running) -> Iterator[StackEntry]:
    """What a group of operators runs belongs to the function that it is in."""
    around: str | None = None
    for function, node in frames:
        function = around or function
        around = function if node.kind in GROUPS else None
        yield from entries(function, node)


def _in_its_function(stack: tuple[StackEntry, ...], frames: Running) -> tuple[StackEntry, ...]:
    """The frames of what a kernel runs; those of a group of operators belong to the function that it is in."""
    if not stack or not frames or frames[-1][1].kind not in GROUPS:
        return stack
    return (StackEntry(frames[-1][0], stack[0].range), *stack[1:])


def script_error(error: Exception) -> Exception:
    """An error of the program for what Python or NumPy raised; other errors stay what they are."""
    if isinstance(error, ScriptError | CompileError):
        return error
    if isinstance(error, LimitReached):
        return _caused_by(error, str(error))
    translated = words(error)
    if translated is not None:
        return _caused_by(error, translated)
    if isinstance(error, MemoryError):
        spent = spent_budget()
        if spent is not None:
            return _caused_by(error, spent)
        return _caused_by(error, f"not enough memory{_detail(error)}")
    if isinstance(error, IndexError) and "list" in str(error):
        return _caused_by(error, "list index out of range")
    if isinstance(error, KeyError) and error.args:
        return _caused_by(error, f"KeyError: {format_value(error.args[0])}")
    if isinstance(error, ArithmeticError | LookupError | ValueError | RecursionError):
        return _caused_by(error, str(error) or type(error).__name__)
    return error


def note_operator(error: Exception, node: Node) -> None:
    """Let a failure of a kernel tell which operator it was, and where that stands in the program."""
    place = node.range.original
    at = "" if place.source is UNKNOWN_RANGE.source else f" at {place}"
    note_stage(error, f"the operator {node.kind}{at}")


def entries(function: str, node: Node) -> Iterator[StackEntry]:
    """The places of one frame: several if calls were inlined on the way to the node. A group of operators has none."""
    if node.kind in GROUPS:
        return
    inlined_calls = () if node.call_stack is None else node.call_stack.calls()
    for inlined in inlined_calls:
        yield StackEntry(function, inlined.call.original)
        function = inlined.callee.rpartition(".")[2]
    yield StackEntry(function, node.range.original)


def _caused_by(error: Exception, message: str) -> ScriptError:
    translated = ScriptError("RuntimeError", message)
    translated.__cause__ = error
    return translated


def _detail(error: Exception) -> str:
    return f": {error}" if str(error) else ""
