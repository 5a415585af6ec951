"""The compiler with everything it is handed: operators, the constant evaluator, the library."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace

from tsc.compiler.compile import Toolchain
from tsc.compiler.emit.calls.graph_calls import insert_in_graph
from tsc.compiler.ir import Node
from tsc.compiler.ir.graph import set_call_inserter
from tsc.runtime.library.index import Library
from tsc.runtime.operators import load


@functools.cache
def toolchain(strict: bool = False) -> Toolchain:
    """The toolchain of this runtime; `strict` rejects what PyTorch rejects."""
    operators = load()
    library = Library()
    made = Toolchain(operators, _evaluate, library.function, library.file, strict)
    library.use(replace(made, strict=False))  # strictness is for the texts of users
    return made


def _evaluate(node: Node, inputs: Sequence[object]) -> list[object] | None:
    """The constant evaluator, loaded with the kernels when there is first something to evaluate."""
    from tsc.runtime.execution.constant_evaluation import evaluate

    return evaluate(node, inputs)


set_call_inserter(insert_in_graph)
