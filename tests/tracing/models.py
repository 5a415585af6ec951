"""The modules that archives are tried with, and those of live scripting, as modules to trace. Needs PyTorch."""

from __future__ import annotations

from functools import cache
from typing import Any
from unittest import mock

import torch

from tests.live import modules_of_pytorch
from tests.oracle.archives import table

Model = tuple[torch.nn.Module, tuple[Any, ...]]


@cache
def models() -> dict[str, Model]:
    """Each in eval mode, with the arguments of a call of ``forward``."""
    found = {sample.name: _module_of(sample) for sample in table.SAMPLES}
    for name, (module, inputs) in modules_of_pytorch.modules().items():
        found[name] = module.eval(), tuple(inputs)
    return {name: model for name, model in found.items() if model is not None}


def names() -> list[str]:
    return [*(sample.name for sample in table.SAMPLES), *modules_of_pytorch.modules()]


def _module_of(sample: table.Sample) -> Model | None:
    """What a sample compiles, before it does; None without a call of ``forward``."""
    given: list[Any] = []

    def take(module: Any, *_args: Any, **_kwargs: Any) -> Any:
        given.append(module)
        return module

    with mock.patch("torch.jit.script", take), mock.patch("torch.jit.trace", take):
        sample.make()
    calls = [each.arguments for each in sample.calls if each.method == "forward"]
    return (given[0], calls[0]) if calls and isinstance(given[0], torch.nn.Module) else None
