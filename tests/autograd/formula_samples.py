"""Arguments for each operator that has a formula: made of its schema, or written down where that does not tell.

An attempt is a shape for tensors and a range for their numbers; those attempts count that an operator takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

import tsc
from tsc.compiler.schema import Argument, Operator
from tsc.runtime.autograd.formulas import Formula, formula_of, parse_formula, table
from tsc.runtime.python_api import eager

from .operator_arguments import ARGUMENTS
from .test_formulas import operators_of

SHAPES = ((2, 2), (3,), (2, 2, 3), (1, 2, 3, 3), (2, 2, 4), (1, 1, 2, 3, 3), ())
RANGES = ((0.15, 0.9), (-1.4, 1.3), (1.2, 2.9))
_OF_TYPE: dict[str, Any] = {
    "int": 1,
    "float": 0.7,
    "number": 0.6,
    "bool": True,
    "List[int]": [1],
    "List[float]": [0.7],
    "List[number]": [0.3, 0.6],
}
_NAMED: dict[str, Any] = {
    **dict.fromkeys(("dim", "dim0", "axis", "axis0", "dimension", "start", "offset", "index"), 0),
    "storage_offset": 0,
    "groups": 1,
    "reduction": 1,
    "p": 2.0,
    "dtype": 7,
    "memory_format": None,
    "indexing": "ij",
    "size": None,
    "shape": None,
    "sizes": None,
}
_INDICES = frozenset(("index", "indices", "target", "offsets"))
_MASKS = frozenset(("mask", "condition"))


class Drawing:
    """Draws tensors: no two numbers are alike, and none is a multiple of another.

    Given `leaves`, it hands these out in place of those that require gradients.
    """

    def __init__(
        self, shape: tuple[int, ...], low: float, high: float, leaves: tuple[tsc.Tensor, ...] = ()
    ) -> None:
        self.shape, self._low, self._high = shape, low, high
        self._given = iter(leaves)
        self.leaves: list[tsc.Tensor] = []
        self._drawn = 0

    def constant(self, *sizes: int) -> tsc.Tensor:
        return tsc.from_numpy(self._numbers(sizes))

    def leaf(self, *sizes: int) -> tsc.Tensor:
        return self._leaf(self._numbers(sizes))

    def complex_leaf(self, *sizes: int) -> tsc.Tensor:
        return self._leaf(self._numbers(sizes) + 1j * self._numbers(sizes))

    def _leaf(self, numbers: np.ndarray) -> tsc.Tensor:
        leaf = next(self._given, None)
        if leaf is None:
            leaf = tsc.from_numpy(np.asarray(numbers))
            leaf.requires_grad = True
        self.leaves.append(leaf)
        return leaf

    def _numbers(self, sizes: tuple[int, ...]) -> np.ndarray:
        self._drawn += 1
        places = np.modf(np.arange(1, prod(sizes) + 1) * 0.618034 + 0.2377 * self._drawn)[0]
        return (self._low + (self._high - self._low) * places).reshape(sizes)


@dataclass(frozen=True)
class FormulaSample:
    """An operator with a place to check it at: `run` gives its results that require gradients, of the leaves."""

    run: Callable[..., list[tsc.Tensor]]
    leaves: list[tsc.Tensor]


def formulas() -> dict[str, Operator]:
    """The operators that have a formula with gradients, by name and overload."""
    found: dict[str, Operator] = {}
    for entry, text in table().items():
        formula = parse_formula(text)
        for operator in operators_of(entry) if _gives_gradients(formula) else ():
            if formula_of(operator) == formula:
                found[operator.qualified_name.removeprefix("aten::")] = operator
    return found


def _gives_gradients(formula: Formula) -> bool:
    return formula.body is not None or any(group.text != "none" for group in formula.groups)


def samples(operator: Operator) -> Iterator[FormulaSample]:
    """One sample for each range of numbers that the operator takes, with finite results."""
    written = ARGUMENTS.get(operator.qualified_name.removeprefix("aten::"))
    for low, high in RANGES:
        for shape in SHAPES if written is None else SHAPES[:1]:
            sample = _sample(operator, written, shape, low, high)
            if _is_taken(sample):
                yield sample
                break


def _sample(
    operator: Operator, written: str | None, shape: tuple[int, ...], low: float, high: float
) -> FormulaSample:
    def run(*leaves: tsc.Tensor) -> list[tsc.Tensor]:
        """Random numbers are the same at each call."""
        draw = Drawing(shape, low, high, leaves)
        values = _made(operator, draw) if written is None else _written(operator, written, draw)
        used[:] = draw.leaves
        tsc.manual_seed(0)
        return [each for each in _tensors(eager.run(operator, values)) if each.requires_grad]

    used: list[tsc.Tensor] = []
    return FormulaSample(run, used)


def _is_taken(sample: FormulaSample) -> bool:
    try:
        results = sample.run()
    except Exception:  # noqa: BLE001  what is not for an operator may make it fail in any way
        return False
    return bool(results) and all(np.isfinite(each.detach().numpy()).all() for each in results)


def _tensors(value: Any) -> list[tsc.Tensor]:
    if isinstance(value, list | tuple):
        return [each for part in value for each in _tensors(part)]
    return [value] if isinstance(value, tsc.Tensor) else []


# -- Arguments -------------------------------------------------------------------------------------


def _written(operator: Operator, text: str, draw: Drawing) -> list[Any]:
    names = {
        "x": draw.leaf,
        "z": draw.complex_leaf,
        "c": draw.constant,
        "tsc": tsc,
        "i": lambda numbers: tsc.tensor(numbers, dtype=tsc.int64),
        "pivots": lambda count: tsc.tensor(list(range(1, count + 1)), dtype=tsc.int32),
        "symmetric": lambda x: x + x.mT,
        "positive": lambda x: x @ x.mT + tsc.eye(x.size(0), dtype=tsc.float64),
        "listed": lambda *given, **named: (given, named),
    }
    given, named = eval(f"listed({text})", names)  # the texts are those of this folder
    rest = operator.schema.arguments[len(given) :]
    return [*given, *(named.get(each.name, each.default) for each in rest)]


def _made(operator: Operator, draw: Drawing) -> list[Any]:
    return [_value(argument, draw) for argument in operator.schema.arguments]


def _value(argument: Argument, draw: Drawing) -> Any:
    kind = argument.type.annotation
    if kind.startswith("Optional["):
        kind = kind.removeprefix("Optional[").removesuffix("]")
    if "Tensor" in kind:
        made = _tensor(argument.name, draw)
        if kind == "Tensor":
            return made
        return [made] if argument.name in _INDICES else [made, _tensor(argument.name, draw)]
    if argument.has_default:
        return argument.default
    if argument.name in ("size", "shape", "sizes"):
        return list(draw.shape)
    value = _NAMED.get(argument.name, _OF_TYPE.get(kind))
    return [value] if kind == "List[int]" and not isinstance(value, list) else value


def _tensor(name: str, draw: Drawing) -> tsc.Tensor:
    if name in _MASKS:
        return tsc.from_numpy(np.arange(prod(draw.shape)).reshape(draw.shape) % 2 == 0)
    if name in _INDICES:
        return tsc.from_numpy(np.zeros(draw.shape, np.int64))
    return draw.leaf(*draw.shape)
