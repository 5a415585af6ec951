"""The backend ``native``: tsc's own executor, with native code where it is installed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tsc.compiler.exir.node import Node
from tsc.runtime.backends.backend import Compute
from tsc.runtime.backends.own_functions import function_of
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.values.tensor import Tensor


class NativePlans:
    """Takes everything: a part runs as a function of its own, whose plan is made for the sizes that it meets."""

    def refusals(self, program: LoadedProgram) -> dict[Node, str]:
        return {}

    def compiled(self, part: LoadedProgram) -> Compute:
        run = function_of(part)

        def compute(operands: Sequence[Any]) -> Sequence[Tensor]:
            return run(*operands)

        return compute


BACKEND: Final = NativePlans()
