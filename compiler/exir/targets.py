"""What a `call_function` node calls: an operator, a higher-order operator, or a function of Python on numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_OPERATORS: Final = "torch.ops."
PREDISPATCH: Final = "torch._functorch.predispatch."
_HIGHER_ORDER: Final = "torch.ops.higher_order."
_DUNDERS: Final = {f"__{name}__": name for name in ("and", "or", "xor", "lshift", "rshift")}
_SNAKE_CASE: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True, repr=False)
class Target:
    """By its full name: "torch.ops.aten.add.Tensor", "torch.ops.higher_order.cond", "operator.getitem"."""

    text: str

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    @property
    def is_higher_order(self) -> bool:
        """Whether it takes graphs: cond, while_loop, map, …"""
        return self.text.startswith(_HIGHER_ORDER)

    @property
    def is_predispatch(self) -> bool:
        """Whether it is of a region of ``torch.vmap``, which PyTorch takes out when it decomposes."""
        return self.text.startswith(PREDISPATCH)

    @property
    def is_operator(self) -> bool:
        """Whether it has a schema."""
        return self.text.startswith(_OPERATORS) and not self.is_higher_order

    @property
    def namespace(self) -> str:
        """ "aten" of an operator; "" of what is none."""
        return self.text.split(".")[2] if self.is_operator else ""

    @property
    def name(self) -> str:
        """The qualified name of an operator, "aten::add"; otherwise the last part: "cond", "getitem"."""
        if not self.is_operator:
            return self.text.rpartition(".")[2]
        _, _, namespace, name, *_ = self.text.split(".")
        return f"{namespace}::{name}"

    @property
    def overload(self) -> str:
        """ "Tensor" of ``torch.ops.aten.add.Tensor``; "" of the overload that PyTorch calls default."""
        if not self.is_operator:
            return ""
        last = self.text.split(".", 4)[4]
        return "" if last == "default" else last

    @property
    def qualified_name(self) -> str:
        """ "aten::add.Tensor" of an operator; otherwise the whole text."""
        if not self.is_operator:
            return self.text
        return f"{self.name}.{self.overload}" if self.overload else self.name

    @property
    def base_name(self) -> str:
        """What nodes that call it are named after: "add", "cond", "getitem"."""
        name = self.name.rpartition("::")[2]
        return _SNAKE_CASE.sub("_", _DUNDERS.get(name, name)).lower()


def operator_target(name: str, overload: str = "") -> Target:
    """The target of an operator by its qualified name: ``operator_target("aten::add", "Tensor")``."""
    namespace, _, base = name.partition("::")
    return Target(f"{_OPERATORS}{namespace}.{base}.{overload or 'default'}")


GETITEM: Final = Target("operator.getitem")
COND: Final = Target("torch.ops.higher_order.cond")
WHILE_LOOP: Final = Target("torch.ops.higher_order.while_loop")
MAP: Final = Target("torch.ops.higher_order.map_impl")
