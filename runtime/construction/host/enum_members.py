"""Members of enums: the compiler's `EnumMember`, with the attributes and methods of its class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tsc.runtime.construction.enum_classes import enum_class, is_mixed, is_shown_as_value
from tsc.runtime.construction.host.host_value import HostValue
from tsc.runtime.construction.values.functions import bind
from tsc.runtime.construction.values.operators import Operator
from tsc.runtime.construction.values.protocol import MISSING, Evaluator
from tsc.runtime.construction.values.value import Value


class Member(HostValue):
    """A member of an ``Enum``"""

    __slots__ = ()
    fields = frozenset(("name", "value"))

    @property
    def is_host(self) -> bool:
        return False

    def own_class(self, evaluator: Evaluator) -> Any:
        return enum_class(evaluator, self.host)

    def is_same(self, other: Any) -> bool:
        return self.host == other

    def find_attribute(self, evaluator: Evaluator, name: str) -> Any:
        found = super().find_attribute(evaluator, name)
        if found is not MISSING:
            return found
        cls = enum_class(evaluator, self.host)
        return bind(evaluator, cls.find(name), self.host, cls)

    def operand(self, evaluator: Evaluator) -> Any:
        """A member that is an int or a str as well stands for its value."""
        return self.host.value if is_mixed(evaluator, self.host) else self.host

    def combined(self, evaluator: Evaluator, operator: Operator, other: Any) -> Any:
        return NotImplemented

    def get_item(self, evaluator: Evaluator, key: Any) -> Any:
        return Value.get_item(self, evaluator, key)

    def length(self, evaluator: Evaluator) -> int:
        return Value.length(self, evaluator)

    def iterator(self, evaluator: Evaluator) -> Iterator[Any]:
        return Value.iterator(self, evaluator)

    def text(self, evaluator: Evaluator) -> str:
        cls = enum_class(evaluator, self.host)
        own = cls.find("__str__")
        if own is not MISSING:
            return evaluator.call(own, [self.host])
        return str(self.host.value if is_shown_as_value(cls) else self.host)
