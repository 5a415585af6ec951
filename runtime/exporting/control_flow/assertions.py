"""Exceptions that data decides: `aten::_assert_async` with the text of the exception."""

from __future__ import annotations

import numpy as np

from tsc.compiler.exir.targets import operator_target
from tsc.compiler.ir import Block, Node, prim
from tsc.runtime.exporting.control_flow.conditions import Condition
from tsc.runtime.exporting.control_flow.late_texts import text_of_exception
from tsc.runtime.exporting.frames import Frame
from tsc.runtime.exporting.recorder import Recorder

_ASSERT = operator_target("aten::_assert_async", "msg")


def raising(node: Node) -> int | None:
    """Which block of a branch does nothing but raise. None if neither or both do."""
    found = [_raise_of(each) is not None for each in node.blocks]
    return found.index(True) if sum(found) == 1 else None


def _raise_of(block: Block) -> Node | None:
    return next((each for each in block.nodes() if each.kind == prim.RaiseException), None)


def note_assertion(
    recorder: Recorder, condition: Condition, frame: Frame, block: Block, *, holds: bool
) -> None:
    """Note that a condition has to be `holds`, as `block` raises otherwise."""
    found = _raise_of(block)
    assert found is not None
    text = text_of_exception(recorder, frame, found.inputs[0])
    tensor = condition.checked(recorder)
    if not holds:
        tensor = recorder.run("aten::logical_not", "", [tensor], np.logical_not(tensor.array))
    arguments = (recorder.node_of(tensor), text)
    recorder.number(_ASSERT, arguments, None)
