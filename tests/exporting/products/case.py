"""A module, how it becomes an archive, and what its methods are called with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn


@dataclass(frozen=True)
class Case:
    """`make` gives the module; `methods` the arguments of each method, of which the first ones are the example.

    It is traced on its example if `is_traced`.
    """

    make: Callable[[], nn.Module]
    methods: dict[str, list[tuple[Any, ...]]]
    is_traced: bool = False

    def archive(self) -> torch.jit.ScriptModule:
        """Scripted or traced, with the same weights each time."""
        torch.manual_seed(0)
        module = self.make().eval()
        if self.is_traced:
            return torch.jit.trace(module, self.methods["forward"][0], check_trace=False)
        return torch.jit.script(module)


def random(*sizes: int, seed: int = 0) -> torch.Tensor:
    """The same numbers each time."""
    return torch.randn(*sizes, generator=torch.Generator().manual_seed(seed + sum(sizes)))
