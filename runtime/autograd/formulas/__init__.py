"""The gradients of operators, as TorchScript text.

    mul.Tensor
        self: grad * other.conj()
        other: grad * self.conj()

Operators, by name or by name and overload, are followed by expressions for the gradients of their arguments, over the
arguments' names, ``grad`` and ``result`` (of further outputs ``grad1``, ``result1``; of a list ``grads``, ``results``).
Several arguments before a colon get a tuple; it may ask ``needs_self`` and the like. ``none``: no gradient.
``other: none`` is an argument that no gradient goes to, ``result1: none`` an output that requires none. ``= expression`` is not a gradient but what the operator computes, in differentiable terms: that is recorded instead;
``== expression`` where the operator is to run, too, because it refuses what the expression would take.
What was broadcast is summed up, and dtypes are taken back, by whoever asks.
A line that is indented further goes on.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from tsc.compiler.schema import Operator

FAMILIES: Final = (
    "pointwise",
    "special",
    "activations",
    "reductions",
    "layout",
    "selecting",
    "matrices",
    "einsum",
    "linear_algebra",
    "factors",
    "convolutions",
    "pooling",
    "resampling",
    "normalization",
    "losses",
    "alignments",
    "fourier",
    "short_time_fourier",
    "integrals",
    "attention",
    "recurrent",
    "segments",
    "undifferentiable",
)
_NAME = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
_OF_SIZES = r"\.(?:size|dim|numel|shape|dtype|ndim|is_complex|is_floating_point|device)\b"


@dataclass(frozen=True, slots=True)
class Group:
    """An expression, and the arguments whose gradients it gives: a tuple for several."""

    names: tuple[str, ...]
    text: str

    @property
    def used(self) -> frozenset[str]:
        """The names that the expression reads."""
        return names_in(self.text)


@dataclass(frozen=True, slots=True)
class Formula:
    """What a gradient text says: its groups, or with `body` the operator itself in other terms."""

    groups: tuple[Group, ...] = ()
    body: str | None = None
    runs_operator: bool = False
    """Whether the operator runs before its body, for what it refuses."""

    def group_of(self, name: str) -> Group | None:
        """What gives the gradient of an argument."""
        return next((group for group in self.groups if name in group.names), None)

    @property
    def texts(self) -> list[str]:
        return [group.text for group in self.groups] if self.body is None else [self.body]

    def goes_to(self, name: str) -> bool:
        """Whether a gradient may go to an argument, or come from an output: of all but those of which ``none`` is said."""
        group = self.group_of(name)
        return group is None or group.text != "none"

    def reads(self, name: str) -> bool:
        """Whether the elements of an argument or result are read."""
        others = re.compile(rf"(?<![.\w]){re.escape(name)}\b(?!{_OF_SIZES})")
        return any(others.search(_without_strings(text)) for text in self.texts)

    def names(self, name: str) -> bool:
        """Whether an argument or result occurs."""
        return any(name in _NAME.findall(_without_strings(text)) for text in self.texts)


@functools.cache
def names_in(text: str) -> frozenset[str]:
    """The names that an expression reads."""
    return frozenset(_NAME.findall(_without_strings(text)))


def _without_strings(text: str) -> str:
    return re.sub(r"'[^']*'|\"[^\"]*\"", "''", text)


NO_GRADIENT: Final = Formula()


def parse_formula(text: str) -> Formula:
    """The formula that a text stands for: ``none``, ``= body``, ``== body``, or lines of ``names: expression``."""
    text = text.strip()
    if text == "none":
        return NO_GRADIENT
    if text.startswith("="):
        return Formula(body=" ".join(text.lstrip("=").split()), runs_operator=text.startswith("=="))
    groups: list[Group] = []
    for line in text.splitlines():
        names, _, expression = line.partition(":")
        groups.append(Group(tuple(names.replace(",", " ").split()), expression.strip()))
    return Formula(tuple(groups))


@functools.cache
def table() -> dict[str, str]:
    """The texts of all families, by name, and by name and overload."""
    found: dict[str, str] = {}
    for family in FAMILIES:
        found |= entries(import_module(f"{__name__}.{family}").FORMULAS)
    return found


@functools.cache
def functions() -> str:
    """The functions that formulas call, as one TorchScript text."""
    return "\n\n".join(import_module(f"{__name__}.{family}").FUNCTIONS for family in FAMILIES)


def entries(text: str) -> dict[str, str]:
    """The texts of one family by the names that they stand under."""
    found: dict[str, str] = {}
    names: list[str] = []
    lines: list[str] = []
    for line in [*text.splitlines(), "end"]:
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            continue
        if indent == 0:
            if lines:
                found |= dict.fromkeys(names, "\n".join(lines))
                names, lines = [], []
            names += line.split()
        elif indent == 4 or not lines:
            lines.append(line.strip())
        else:
            lines[-1] += f" {line.strip()}"
    return found


@functools.cache
def formula_of(operator: Operator) -> Formula | None:
    """The formula of an operator; None if it has none."""
    name = operator.name.removeprefix("aten::")
    text = operator.gradient or table().get(f"{name}.{operator.overload_name}") or table().get(name)
    if text is None and operator.first_name not in (None, operator.name):
        text = table().get(str(operator.first_name).removeprefix("aten::"))
    return None if text is None else parse_formula(text)
