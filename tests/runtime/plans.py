"""Running functions by each execution plan, for tests that hold for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import tsc
from tsc.compiler.ir import Function
from tsc.runtime.execution.bytecode.code import Code
from tsc.runtime.execution.bytecode.code_emitter import emit_code
from tsc.runtime.execution.bytecode.interpreter import InterpreterState
from tsc.runtime.execution.bytecode.plan import BytecodePlan
from tsc.runtime.execution.call_depth import depth_of_calls
from tsc.runtime.execution.graph_executor import PlanKey, executor_of
from tsc.runtime.execution.python.plan import PlanSource, PythonPlan
from tsc.runtime.python_api.script_function import ScriptFunction


def bytecode(function: Function, inputs: Sequence[Any]) -> Any:
    """By the plain interpreter, the graph as the compiler made it."""

    def code_of(callee: Function) -> Code:
        return emit_code(callee.graph, callee.name)

    outputs = InterpreterState(code_of(function), code_of, inputs).run()
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


def python(function: Function, inputs: Sequence[Any]) -> Any:
    """By a Python function, of the graph as the compiler made it."""
    plans: dict[Function, PythonPlan] = {}

    def plan_of(callee: Function) -> PythonPlan:
        if callee not in plans:
            source = PlanSource(
                callee,
                lambda: callee.graph,
                plan_of,
                lambda: BytecodePlan(_code_of(callee), _code_of),
                lambda: depth_of_calls(callee, lambda each: each.graph, {}) > 100,
                lambda: True,
            )
            plans[callee] = PythonPlan(source)
        return plans[callee]

    return plan_of(function).run(inputs)


def _code_of(callee: Function) -> Code:
    return emit_code(callee.graph, callee.name)


def optimized(function: Function, inputs: Sequence[Any]) -> Any:
    """As calls from Python are executed."""
    return executor_of(function).run(inputs)


def optimized_bytecode(function: Function, inputs: Sequence[Any]) -> Any:
    """By the plain interpreter, the graph as it is run."""
    return executor_of(function).plan(PlanKey("bytecode")).run(inputs)


PLANS = {
    "bytecode": bytecode,
    "python": python,
    "optimized": optimized,
    "optimized_bytecode": optimized_bytecode,
}

each_plan = pytest.mark.parametrize("run", list(PLANS.values()), ids=list(PLANS))


def script(source: str, name: str = "f") -> Function:
    """A function of a source text."""
    compiled = getattr(tsc.CompilationUnit(source), name)
    assert isinstance(compiled, ScriptFunction)
    return compiled.function
