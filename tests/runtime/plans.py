"""Running functions by each execution plan, for tests that hold for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import tsc
from tsc.compiler.ir import Function
from tsc.runtime.context.limits import current_limits
from tsc.runtime.execution.bytecode.code import Code
from tsc.runtime.execution.bytecode.code_emitter import emit_code
from tsc.runtime.execution.bytecode.interpreter import InterpreterState
from tsc.runtime.execution.graph_executor import PlanKey, executor_of
from tsc.runtime.execution.threaded.builder import build_program
from tsc.runtime.execution.threaded.threaded_code import Program, execute
from tsc.runtime.python_api.script_function import ScriptFunction


def bytecode(function: Function, inputs: Sequence[Any]) -> Any:
    """By the plain interpreter, the graph as the compiler made it."""

    def code_of(callee: Function) -> Code:
        return emit_code(callee.graph, callee.name)

    outputs = InterpreterState(code_of(function), code_of).run(inputs)
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


def threaded(function: Function, inputs: Sequence[Any]) -> Any:
    """By threaded code, the graph as the compiler made it."""

    def program_of(callee: Function) -> Program:
        return build_program(callee.graph, callee.name)

    return execute(program_of(function), inputs, program_of, current_limits())


def optimized(function: Function, inputs: Sequence[Any]) -> Any:
    """As calls from Python are executed."""
    return executor_of(function).run(inputs)


def optimized_bytecode(function: Function, inputs: Sequence[Any]) -> Any:
    """By the plain interpreter, the graph as it is run."""
    return executor_of(function).plan(PlanKey("bytecode")).run(inputs)


PLANS = {
    "bytecode": bytecode,
    "threaded": threaded,
    "optimized": optimized,
    "optimized_bytecode": optimized_bytecode,
}

each_plan = pytest.mark.parametrize("run", list(PLANS.values()), ids=list(PLANS))


def script(source: str, name: str = "f") -> Function:
    """A function of a source text."""
    compiled = getattr(tsc.CompilationUnit(source), name)
    assert isinstance(compiled, ScriptFunction)
    return compiled.function
