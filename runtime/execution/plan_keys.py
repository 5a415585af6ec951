"""What execution plans are made for."""

from __future__ import annotations

from typing import NamedTuple


class PlanKey(NamedTuple):
    """What a plan was made for, and is found by: a name of `graph_executor.PLANS`, whether containers are to be typed,
    whether what runs is to be recorded for gradients, whether the graph is optimized, whether the tensors that are
    made are those of ``inference_mode``, whether views that leave it are noted as made under ``no_grad``, and whether
    groups of operators are looked for in loops alone.

    A function that asks what its lists and dictionaries hold has typed ones for each caller.
    """

    plan: str = "python"
    with_types: bool = False
    recording: bool = False
    optimized: bool = True
    inference: bool = False
    unrecorded: bool = False
    in_loops: bool = False
