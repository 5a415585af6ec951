"""Programs as they are run, decomposed, converted and handed over: without marks that only PyTorch needs."""

from __future__ import annotations

from typing import TypeVar

from tsc.compiler.exir.batch_regions import with_maps
from tsc.compiler.exir.effect_tokens import without_tokens
from tsc.compiler.exir.exported_program import ExportedProgram

Program = TypeVar("Program", bound=ExportedProgram)


def plain_form(program: Program) -> Program:
    """The program without tokens, and with maps for regions of ``torch.vmap``; the same one if it has neither.

    Raises `GraphError`, which names the node, for what has no such form.
    """
    return with_maps(without_tokens(program))
