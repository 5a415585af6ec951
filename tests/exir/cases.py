"""What a module that PyTorch exports is kept as: the module, and the arguments that it is exported for and run with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn


@dataclass
class Case:
    """A module, the arguments that it is exported for, and others that it is run with, too."""

    module: Callable[[], nn.Module]
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    dynamic_shapes: Any = None
    others: tuple[tuple[Any, ...], ...] = ()
    strict: bool = False
    decomposed: bool = False


CASES: dict[str, Case] = {}


def module_of(function: Callable[..., Any], **parts: Any) -> Callable[[], nn.Module]:
    """A module with these parts, whose forward is the function."""

    def make() -> nn.Module:
        class Module(nn.Module):
            def forward(self, *args, **kwargs):
                return function(*args, **kwargs)

        return Module()

    return make


def case(*args: Any, **options: Any) -> Callable[[Any], Any]:
    """Register a class of modules under its name."""

    def register(made: Any) -> Any:
        CASES[made.__name__] = Case(made, args, **options)
        return made

    return register


def x(*size: int) -> torch.Tensor:
    return torch.arange(torch.Size(size).numel() or 0, dtype=torch.float32).reshape(size).sin()


def exported(name: str) -> torch.export.ExportedProgram:
    """The program of a case; parameters are those of one seed."""
    chosen = CASES[name]
    torch.manual_seed(0)
    program = torch.export.export(
        chosen.module(),
        chosen.args,
        chosen.kwargs,
        dynamic_shapes=chosen.dynamic_shapes,
        strict=chosen.strict,
    )
    return program.run_decompositions() if chosen.decomposed else program
