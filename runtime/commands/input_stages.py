"""The stages that depend on what a function is called with: the graphs that the profiling executor makes of it, and
native code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from tsc.compiler.budget import NO_LIMITS, under
from tsc.compiler.ir import Function, Graph
from tsc.compiler.source import UsageError
from tsc.runtime.commands.command_arguments import parse_arguments, refuse_wrong_arguments
from tsc.runtime.commands.options import NATIVE_STAGES
from tsc.runtime.context.hooks import native_report
from tsc.runtime.execution.executor_mode import chosen_plan
from tsc.runtime.execution.profiling_executor import observed_phases

if TYPE_CHECKING:
    from tsc.runtime.programs.source_unit import SourceUnit
    from tsc.runtime.python_api.script_function import ScriptFunction
    from tsc.runtime.python_api.script_module import ModuleMethod

_DIFFERENTIABLE: Final = "differentiable"
Runnable: TypeAlias = "ScriptFunction | ModuleMethod"

_STAGES: Final = ("specialized", "profiled", "guarded", _DIFFERENTIABLE, "optimized")


def texts_for_inputs(
    unit: SourceUnit,
    name: str | None,
    init: str | None,
    arguments: str | None,
    stages: Sequence[str],
) -> dict[str, str]:
    """The texts of those of `stages` that are made for inputs, of the function called `name`, which is run for them.

    Raises UsageError where arguments are missing, and for functions that no graph is made for inputs of.
    """
    graphs = [stage for stage in stages if stage in _STAGES]
    codes = [stage for stage in stages if stage in NATIVE_STAGES and arguments is not None]
    if not graphs and not codes:
        return {}
    chosen = unit.choose(name, init)
    if arguments is None and chosen.schema.arguments:
        raise UsageError(f"--stage {graphs[0]} depends on the inputs: give them by --args")
    positional, named = parse_arguments(arguments or "", chosen.schema, unit)
    refuse_wrong_arguments(chosen, positional, named)
    call = partial(chosen, *positional, **named)
    texts = _codes_for_inputs(chosen, call, codes) if codes else {}
    return texts | _graphs_for_inputs(chosen, call, graphs) if graphs else texts


def _codes_for_inputs(
    chosen: Runnable, call: Callable[[], object], wanted: Sequence[str]
) -> dict[str, str]:
    """Native code, of which much depends on shapes: what was made in one run, as `tsc run` runs it."""
    with under(NO_LIMITS), chosen_plan("native"):
        call()
    report = native_report()
    return {stage: report.code_text(chosen.function, stage, has_run=True) for stage in wanted}


def _graphs_for_inputs(
    chosen: Runnable, call: Callable[[], object], wanted: Sequence[str]
) -> dict[str, str]:
    texts: dict[str, str] = {}

    def observe(step: str, _function: Function, graph: Graph) -> None:
        texts.setdefault(step, str(graph))

    with observed_phases(observe):
        call()
    if _DIFFERENTIABLE in wanted and "guarded" in texts and _DIFFERENTIABLE not in texts:
        raise UsageError(
            f"--stage {_DIFFERENTIABLE} needs an input that requires a gradient:"
            " torch.ones(2).requires_grad_()"
        )
    if "guarded" not in texts:
        raise UsageError(
            f"{chosen.schema.name} has one plan for all inputs: what it calls cannot be inlined"
        )
    return {stage: texts[stage] for stage in wanted}
