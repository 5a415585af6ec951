"""Random programs of all kinds that may become native code, each with arguments, made of a number."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import tsc
from tests.differential import scalar_programs, tensor_programs
from tests.random_mixed_programs import random_mixed_program
from tests.random_programs import random_program

from . import programs_of_carried_tensors, programs_of_dictionaries, programs_of_elements
from .random_group_programs import group_program, large_group_program
from .random_kernel_programs import kernel_program
from .random_list_programs import a_float, an_int, list_arguments, list_program
from .random_reading_programs import reading_arguments, reading_program
from .random_text_programs import text_arguments, text_program
from .random_value_programs import value_arguments, value_program

Arguments = Callable[[random.Random], list[Any]]


@dataclass(frozen=True)
class Case:
    """A function ``f``; what makes arguments for it; and how far results may be apart."""

    source: str
    arguments: Arguments
    units: int = 0
    """In the last place of the largest number of a tensor; for none, all bits are compared."""
    mixed: bool = False
    """Whether numbers of float64 are computed of those of float32, and are no more exact."""
    count: int = 3
    """Of calls."""
    same_errors: bool = True
    """Whether errors are told alike; of several operators of a group that fail, another may come first."""

    of_kernels: bool = False
    """Whether bytecode with native kernels is compared with bytecode without them."""
    is_recorded: bool = False
    """Whether gradients are asked for."""

    @property
    def zeros_are_alike(self) -> bool:
        """Which of two zeros is the larger one depends on their number, in PyTorch as well."""
        return "imum(" in self.source or ".am" in self.source

    def calls(self, seed: int) -> list[list[Any]]:
        """Arguments of some calls. Memory, lists and tensors are made when this is called."""
        choose = random.Random(seed)
        return [self.arguments(choose) for _ in range(self.count)]


_ROUNDED: Final = 64
_GROWTH: Final = 64
"""Of what sums differ by, over the steps of a recurrent layer with large weights, or over many elements."""
_WIDE: Final = ("float32", "float64")
"""Dtypes that are computed in themselves."""


def _ints(choose: random.Random) -> list[Any]:
    """Small ones, for there are loops of so many turns."""
    xs = [choose.randint(-9, 20) for _ in range(choose.randint(0, 4))]
    return [*(choose.randint(-9, 20) for _ in range(3)), xs]


def _mixed(choose: random.Random) -> list[Any]:
    def reals(least: int) -> list[float]:
        return [a_float(choose) for _ in range(choose.randint(least, 5))]

    rows = [reals(2), reals(1)]
    gaps = [choose.choice((None, a_float(choose))) for _ in range(choose.randint(1, 4))]
    pairs = [(an_int(choose), a_float(choose)) for _ in range(choose.randint(1, 3))]
    return [
        *(an_int(choose), a_float(choose), choose.choice((None, an_int(choose)))),
        *(choose.choice((reals(1), rows[0])), choose.choice((rows, [rows[0]] * 2)), pairs, gaps),
    ]


def _scalars(choose: random.Random) -> list[Any]:
    a, b, x, text, xs, words = choose.choice(scalar_programs.ARGUMENTS)
    return [a, b, choose.choice((x, a_float(choose))), text, [*xs], [*words]]


def _tensors(choose: random.Random) -> list[Any]:
    made: list[Any] = []
    for name, dtype in tensor_programs.PARAMETERS.items():
        values = [choose.gauss(0, 3) for _ in range(6)]
        tensor = tsc.tensor(values).reshape([2, 3])[: len(tensor_programs.SHAPES[name])]
        tensor = tensor if len(tensor_programs.SHAPES[name]) == 2 else tensor[0]
        made.append(tensor.to(getattr(tsc, dtype)))
    return [*made, 2]


def _elements(choose: random.Random) -> list[Any]:
    return [*programs_of_elements.arguments(choose.randrange(1 << 30))]


def _carried(choose: random.Random) -> list[Any]:
    return [*programs_of_carried_tensors.arguments(choose.randrange(1 << 30))]


def _of_carried_tensors(number: int) -> Case:
    """Where no loop is native, a group of operators may fail before what stands in front of it is written."""
    source = programs_of_carried_tensors.program(number)
    return Case(source, _carried, count=4, same_errors=False)


def _of_dictionaries(number: int) -> Case:
    return Case(
        programs_of_dictionaries.program(number), programs_of_dictionaries.arguments, count=4
    )


def _of_lists(number: int) -> Case:
    return Case(list_program(number), list_arguments)


def _of_texts(number: int) -> Case:
    return Case(text_program(number), text_arguments)


def _of_readers(number: int) -> Case:
    return Case(reading_program(number), reading_arguments)


def _of_values(number: int) -> Case:
    return Case(value_program(number), value_arguments)


def _of_ints(number: int) -> Case:
    return Case(random_program(number), _ints)


def _of_mixed(number: int) -> Case:
    return Case(random_mixed_program(number), _mixed)


def _of_scalars(number: int) -> Case:
    return Case(scalar_programs.scalar_program(number), _scalars)


def _of_elements(number: int) -> Case:
    return Case(programs_of_elements.program(number), _elements, count=2)


def _of_tensors(number: int) -> Case:
    return Case(
        tensor_programs.tensor_program(number), _tensors, _ROUNDED, mixed=True, same_errors=False
    )


def _of_groups(number: int) -> Case:
    made = group_program(number)
    return Case(made.source, made.arguments, 0 if made.exact else _ROUNDED, same_errors=False)


def _of_large_groups(number: int) -> Case:
    made = large_group_program(number)
    units = 0 if made.exact else _ROUNDED * _GROWTH
    return Case(made.source, made.arguments, units, count=2, same_errors=False)


def _of_gradients(number: int) -> Case:
    made = group_program(number)
    return Case(made.source, made.arguments, _ROUNDED, same_errors=False, is_recorded=True)


def _of_kernels(number: int) -> Case:
    made = kernel_program(number)
    has_steps = re.search(r"torch\.(lstm|gru|rnn_)", made.source) is not None
    units = _ROUNDED * (_GROWTH if has_steps and made.parameters[0][1] in _WIDE else 1)
    return Case(made.source, made.arguments, units, same_errors=False, of_kernels=True)


KINDS: Final[tuple[Callable[[int], Case], ...]] = (
    *(_of_lists, _of_groups, _of_elements, _of_groups, _of_mixed, _of_lists),
    *(_of_groups, _of_tensors, _of_groups, _of_ints, _of_scalars, _of_values, _of_texts),
    *(_of_readers, _of_kernels, _of_gradients, _of_carried_tensors, _of_dictionaries),
    _of_large_groups,
)


def case_of(number: int) -> Case:
    """The case of a number, always the same."""
    return KINDS[number % len(KINDS)](number)
