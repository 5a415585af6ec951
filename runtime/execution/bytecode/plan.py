"""The plan of bytecode: instruction by instruction, as the dump shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy import errstate

from tsc.compiler.ir import Function
from tsc.runtime.context.limits import StepSource
from tsc.runtime.execution.bytecode.code import Code
from tsc.runtime.execution.bytecode.interpreter import InterpreterState


class BytecodePlan:
    """`code_of` gives the code of the functions that are called."""

    def __init__(self, code: Code, code_of: Callable[[Function], Code]) -> None:
        self._code = code
        self._code_of = code_of

    def run(self, inputs: Sequence[Any], steps: StepSource | None = None) -> Any:
        """The single output, or a tuple of several. Steps are taken from `steps`, if it is given."""
        with errstate(all="ignore"):
            state = InterpreterState(self._code, self._code_of, inputs, steps=steps)
            state.run()
        return state.result()

    def begin(self, inputs: Sequence[Any]) -> InterpreterState:
        """A call that has not begun to run, and that can be put away where it waits."""
        return InterpreterState(self._code, self._code_of, inputs)
