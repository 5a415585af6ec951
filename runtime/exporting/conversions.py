"""Checks in front of conversions: for tensors of another dtype a program may be another one.

They stand where ``torch.export`` (PyTorch 2.13) has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.targets import operator_target
from tsc.compiler.schema import Operator

if TYPE_CHECKING:
    from tsc.runtime.exporting.recorder import Recorder

_CHECK: Final = operator_target("aten::_assert_tensor_metadata")
_CONVERSIONS: Final = frozenset({"aten::to.device", "aten::to.dtype", "aten::to.dtype_layout"})


def note_conversion(recorder: Recorder, operator: Operator, args: Sequence[Any]) -> None:
    """Have a program check the tensor that an operator is about to convert, unless it has just done so."""
    if operator.qualified_name not in _CONVERSIONS or recorder.inside:
        return
    tensor = args[0]
    before = recorder.graph.end.previous
    if not isinstance(tensor, Node) or (before.target == _CHECK and before.args[0] is tensor):
        return
    known: FakeTensor = tensor.meta["val"]
    node = recorder.number(_CHECK, (tensor,), None)
    node.kwargs = {"dtype": known.dtype, "device": known.device, "layout": known.layout}
