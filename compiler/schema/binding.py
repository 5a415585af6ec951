"""Which value of a call is for which argument of a schema.

This is the one binder of calls to schemas: of eager calls, traces, calls of compiled functions from Python, and calls
in source text, whose values are values of a graph. They differ in what a value may be, and in what it becomes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, Generic, Literal, TypeVar

from tsc.compiler.schema.argument import Argument
from tsc.compiler.schema.function_schema import FunctionSchema

_T = TypeVar("_T")


class NotGiven(Enum):
    NOT_GIVEN = "not given"


NOT_GIVEN: Final = NotGiven.NOT_GIVEN
"""In place of the value of an argument that a call does not mention."""

NO_OTHER_NAMES: Final[Mapping[str, Sequence[str]]] = {}


class Binder(Generic[_T]):
    """Hands out the values of one call; ask for the arguments of `schema` in their order.

    `owner` is what a method is called on, whichever argument ``self`` is. `other_names` has, for names of arguments,
    those that a call may have for them. Afterwards, `surplus` and `left_over` tell what no argument took.
    """

    __slots__ = ("_args", "_kwargs", "_other_names", "_schema", "_taken", "owner")

    def __init__(
        self,
        schema: FunctionSchema,
        args: Sequence[_T],
        kwargs: Mapping[str, _T],
        owner: _T | Literal[NotGiven.NOT_GIVEN] = NOT_GIVEN,
        other_names: Mapping[str, Sequence[str]] = NO_OTHER_NAMES,
    ) -> None:
        self._schema = schema
        self._args = args
        self._kwargs = dict(kwargs) if kwargs else kwargs
        self._other_names = other_names
        self._taken = 0
        self.owner = owner

    def take(self, argument: Argument) -> _T | Literal[NotGiven.NOT_GIVEN]:
        """The value for an argument, by its place or by its name."""
        if self.owner is not NOT_GIVEN and argument.name == "self":
            owner, self.owner = self.owner, NOT_GIVEN
            return owner
        if not argument.kwarg_only and self._taken < len(self._args):
            self._taken += 1
            return self._args[self._taken - 1]
        return self._take_keyword(argument.name) if self._kwargs else NOT_GIVEN

    def _take_keyword(self, name: str) -> _T | Literal[NotGiven.NOT_GIVEN]:
        assert isinstance(self._kwargs, dict)
        if name in self._kwargs:
            return self._kwargs.pop(name)
        for other in self._other_names.get(name, ()):
            if other in self._kwargs and self._schema.argument_index(other) is None:
                return self._kwargs.pop(other)
        return NOT_GIVEN

    def may_take_place(self, argument: Argument) -> bool:
        """Whether `take` would give a value by its place."""
        if self.owner is not NOT_GIVEN and argument.name == "self":
            return False
        return not argument.kwarg_only and self._taken < len(self._args)

    def take_rest(self) -> Sequence[_T]:
        """All values that are left and have no name: the elements of one list."""
        rest, self._taken = self.surplus, len(self._args)
        return rest

    @property
    def surplus(self) -> Sequence[_T]:
        """Values without a name that nothing took."""
        return self._args[self._taken :]

    @property
    def left_over(self) -> Mapping[str, _T]:
        """Values with a name that no argument has, or whose argument has a value by its place."""
        return self._kwargs

    @property
    def is_used_up(self) -> bool:
        return self._taken == len(self._args) and not self._kwargs and self.owner is NOT_GIVEN
