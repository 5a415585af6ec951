"""What PyTorch's reader of archives asks of printed code."""

from __future__ import annotations

from tsc.compiler.printing.python_classes import PrintedFile, print_class
from tsc.compiler.printing.python_constants import ConstantsTable
from tsc.compiler.printing.python_printer import print_python
from tsc.compiler.types import INT, TENSOR, TupleType
from tsc.runtime.execution.toolchain import toolchain


def test_defaults_of_fixed_length_are_whole_lists() -> None:
    pool = toolchain().library("__torch__.torch.nn.functional._max_pool2d")
    assert pool is not None
    assert "padding: List[int]=[0, 0]" in print_python(pool)


def test_named_tuples_have_defaults_in_source_but_not_in_archives() -> None:
    state = TupleType((TENSOR, INT), "__torch__.State", ("hidden", "steps"), (0,))
    head = "class State(NamedTuple):\n  hidden : Tensor\n  steps : int"
    assert print_class(state, ConstantsTable()) == f"{head} = 0\n"
    assert print_class(state, ConstantsTable(), PrintedFile()) == f"{head}\n"
