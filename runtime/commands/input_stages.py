"""The stages that depend on what a function is called with: the graphs that the profiling executor makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tsc.compiler.ir import Function, Graph
from tsc.compiler.source import UsageError
from tsc.runtime.commands.command_arguments import parse_arguments, refuse_wrong_arguments
from tsc.runtime.execution.profiling_executor import observed_phases

if TYPE_CHECKING:
    from tsc.runtime.programs.source_unit import SourceUnit

_DIFFERENTIABLE: Final = "differentiable"
_STAGES: Final = ("specialized", "profiled", "guarded", _DIFFERENTIABLE, "optimized")


def graphs_for_inputs(
    unit: SourceUnit,
    name: str | None,
    init: str | None,
    arguments: str | None,
    stages: Sequence[str],
) -> dict[str, str]:
    """The texts of those of `stages` that are made for inputs, of the function called `name`, which is run once.

    Raises UsageError where arguments are missing, and for functions that no graph is made for inputs of.
    """
    wanted = [stage for stage in stages if stage in _STAGES]
    if not wanted:
        return {}
    chosen = unit.choose(name, init)
    if arguments is None and chosen.schema.arguments:
        raise UsageError(f"--stage {wanted[0]} depends on the inputs: give them by --args")
    positional, named = parse_arguments(arguments or "", chosen.schema, unit)
    refuse_wrong_arguments(chosen, positional, named)
    texts: dict[str, str] = {}

    def observe(step: str, _function: Function, graph: Graph) -> None:
        texts.setdefault(step, str(graph))

    with observed_phases(observe):
        chosen(*positional, **named)
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
