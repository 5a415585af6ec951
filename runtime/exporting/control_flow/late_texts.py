"""Texts that are made of what data tells: they may be printed, and be those of exceptions, and go nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from tsc.compiler.exir.data_numbers import TEXTS
from tsc.compiler.ir import Node, Value, constant_value, prim
from tsc.runtime.exporting.control_flow.conditions import Condition
from tsc.runtime.exporting.data_numbers import DataNumber
from tsc.runtime.exporting.frames import Frame
from tsc.runtime.exporting.kernels import run_kernel
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.exporting.tensors import tensors_in

UNTOLD: Final = "…"
"""Stands for what data tells."""


@dataclass(frozen=True, slots=True)
class LateText:
    """A text with `UNTOLD` for what data tells; `hint` is what it is in this run."""

    text: str
    hint: str


def text_computed(recorder: Recorder, node: Node, values: Sequence[Any]) -> LateText | None:
    """What a node gives that makes a text of what data tells; None for other nodes."""
    is_sum = node.kind == "aten::add" and any(isinstance(each, LateText) for each in values)
    if not is_sum and node.kind not in TEXTS:
        return None
    if not any(_is_late(recorder, each) for each in values):
        return None
    hint = run_kernel(node, [in_this_run(each) for each in values])
    return LateText(_joined(node.kind, [_told(recorder, each) for each in values]), hint)


def in_this_run(value: Any) -> Any:
    """The same value with numbers and texts as they are in this run."""
    if isinstance(value, LateText | DataNumber | Condition):
        return value.hint
    if isinstance(value, list | tuple):
        parts = [in_this_run(each) for each in cast("Sequence[Any]", value)]
        return parts if isinstance(value, list) else tuple(parts)
    return value


def text_of_exception(recorder: Recorder, frame: Frame, value: Value) -> str:
    """The text that an exception would have, of which nothing has to be computed yet."""
    if value.node.kind == prim.Constant:
        return str(constant_value(value))
    if value in frame.values:
        return _told(recorder, frame.values[value])
    node = value.node
    if node.kind not in TEXTS and node.kind != "aten::add":
        return UNTOLD
    return _joined(node.kind, [text_of_exception(recorder, frame, each) for each in node.inputs])


def _is_late(recorder: Recorder, value: Any) -> bool:
    if isinstance(value, LateText | DataNumber | Condition):
        return True
    if isinstance(value, list | tuple):
        return any(_is_late(recorder, each) for each in cast("Sequence[Any]", value))
    return not all(map(recorder.is_constant, tensors_in(value)))


def _told(recorder: Recorder, value: Any) -> str:
    if isinstance(value, LateText):
        return value.text
    return UNTOLD if _is_late(recorder, value) else str(value)


def _joined(kind: str, parts: Sequence[str]) -> str:
    if kind == "aten::format":
        pattern, *values = parts
        for each in values:
            pattern = pattern.replace("{}", each, 1)
        return pattern
    return UNTOLD if kind == "aten::percentFormat" else "".join(parts)
