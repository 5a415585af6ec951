"""Calls with gradients: of what programs compute of tensors that require them, and where nothing is recorded."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any, Final

import tsc

_MODES: Final = (nullcontext, nullcontext, nullcontext, tsc.no_grad, tsc.inference_mode)


def recorded(run: Callable[[list[Any]], Any], seed: int) -> Callable[[list[Any]], Any]:
    """What runs a function on arguments of which some require gradients, or come of such, in some mode.

    It gives the result, which tensors of it require gradients, and those of the arguments.
    """
    calls = itertools.count()

    def run_recorded(given: list[Any]) -> Any:
        choose = random.Random(f"{seed} {next(calls)}")
        leaves = [*_asked(choose, given)]
        with choose.choice(_MODES)():
            result = run(given)
        shown = [each for each in _tensors(result) if each.requires_grad]
        for each in shown:
            each.sum().backward(retain_graph=True)
        return result, len(shown), [each.grad for each in leaves]

    return run_recorded


def _asked(choose: random.Random, given: list[Any]) -> Iterator[Any]:
    """Leaves in the place of some arguments, or what is made of them."""
    for place, each in enumerate(given):
        if isinstance(each, tsc.Tensor) and each.is_floating_point() and choose.random() < 0.6:
            leaf = each.detach().requires_grad_()
            given[place] = leaf if choose.random() < 0.4 else leaf * 1
            yield leaf


def _tensors(value: Any) -> Iterator[Any]:
    if isinstance(value, tsc.Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _tensors(each)
