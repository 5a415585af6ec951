"""Which local variable of the Python function each value of a graph lives in.

A variable has the name that it has in the program, as far as values of that name are not needed at the same
time; the second one that is gets a number. What has no name in the program shares names with an underscore.
"""

from __future__ import annotations

import functools
import keyword
from collections.abc import Sequence

from tsc.compiler.ir import Value
from tsc.compiler.ir.symbols import prim
from tsc.runtime.execution.python.lifetimes import Lifetimes

_ENDLESS = 1 << 62
_TRIED = 8  # variables of one name that are looked at before a new one is made


class Variable:
    """A local variable, and the number of the node up to which its present value is needed."""

    __slots__ = ("identifier", "needed")

    def __init__(self, identifier: str) -> None:
        self.identifier = identifier
        self.needed = -1


class Variables:
    """Gives out variables in the order of the nodes."""

    def __init__(self, lifetimes: Lifetimes) -> None:
        self._lifetimes = lifetimes
        self._of: dict[Value, str] = {}
        self._named: dict[str, list[Variable]] = {}
        self._wanted: dict[Value, str] = {}
        self._known: dict[str, Variable] = {}

    def of(self, value: Value) -> str:
        """The variable that a value lives in."""
        return self._of[value]

    def has(self, value: Value) -> bool:
        return value in self._of

    def place(self, value: Value, at: int) -> str:
        """The variable for a value that is made by the node of number `at`."""
        variable = self._free(self._base(value), at)
        variable.needed = self._lifetimes.needed.get(value, at + 1)
        self._of[value] = variable.identifier
        return variable.identifier

    def take_over(self, value: Value, identifier: str) -> str:
        """Let a value without a name have the variable of one that is not needed any more.

        The other branch of an ``if`` may need that one for longer.
        """
        variable = self._known[identifier]
        variable.needed = max(variable.needed, self._lifetimes.needed[value])
        self._of[value] = identifier
        return identifier

    def place_together(self, values: Sequence[Value], at: int) -> list[str]:
        """Variables for values that exist side by side, at least at one moment after `at`."""
        taken = [self._free(self._base(value), at, _ENDLESS) for value in values]
        for value, variable in zip(values, taken):
            variable.needed = self._lifetimes.needed.get(value, at)
            self._of[value] = variable.identifier
        return [variable.identifier for variable in taken]

    def wish(self, value: Value, name_of: Value) -> None:
        """A value without a name becomes another one, whose name it may have."""
        if not value.has_debug_name and value.node.kind != prim.Constant:
            self._wanted[value] = self._base(name_of)

    def new(self) -> str:
        """A variable for something that is no value of the graph."""
        return self._made("_").identifier

    def _free(self, base: str, at: int, until: int = -1) -> Variable:
        variables = self._named.get(base, ())
        for variable in variables[:_TRIED]:
            if variable.needed <= at:
                variable.needed = until
                return variable
        made = self._made(base)
        made.needed = until
        return made

    def _made(self, base: str) -> Variable:
        variables = self._named.setdefault(base, [])
        number = len(variables)
        identifier = base if number == 0 and base != "_" else f"{base.rstrip('_')}_{number}"
        while identifier in self._known:
            number += 1
            identifier = f"{base.rstrip('_')}_{number}"
        made = self._known[identifier] = Variable(identifier)
        variables.append(made)
        return made

    def _base(self, value: Value) -> str:
        known = self._wanted.get(value)
        if known is None:
            known = self._wanted[value] = safe_name(value.debug_name)
        return known


@functools.lru_cache(4096)
def safe_name(text: str) -> str:
    """An identifier of Python for what a value or function is called: ``total`` for ``total.3``."""
    base = text.partition(".")[0]
    if not base.isidentifier():
        return "_"
    return f"{base}_" if keyword.iskeyword(base) or base.startswith("__") else base
