"""Operators that meant something else in older versions of the file format, and what they mean today.

A program of an older archive is compiled with the schemas of its time; then each such call is replaced by
TorchScript that computes the same with the operators of today. The list is PyTorch's (its operator version map).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial

from tsc.compiler.compile import Toolchain, compile_source
from tsc.compiler.ir import Function, Graph, Node, inline_call
from tsc.compiler.schema import Operator, OperatorTable
from tsc.compiler.source import Source

_DIVISION = """
def upgraded(self: Tensor, other: {other}{out_parameter}) -> Tensor:
    if {is_true}:
        return torch.true_divide{suffix}(self, other{out})
    return torch.divide{suffix}(self, other, rounding_mode="trunc"{out})
"""
_IN_PLACE_DIVISION = _DIVISION.replace("torch.", "self.").replace("(self, other", "(other")
_DIVISION_MODE = """
def upgraded(self: Tensor, other: {other}, *, rounding_mode: Optional[str]{out_parameter}) -> Tensor:
    return torch.divide{suffix}(self, other, rounding_mode=rounding_mode{out})
"""
_IN_PLACE_DIVISION_MODE = _DIVISION_MODE.replace("torch.", "self.").replace(
    "(self, other", "(other"
)
_FULL = """
def upgraded(size: List[int], fill_value: number, *, dtype: Optional[int], layout: Optional[int],
        device: Optional[Device], pin_memory: Optional[bool]) -> Tensor:
    value = float(fill_value) if dtype is None else fill_value
    return torch.full(size, value, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
"""
_FULL_OUT = """
def upgraded(size: List[int], fill_value: number, *, out: Tensor) -> Tensor:
    return torch.full(size, fill_value, out=out)
"""
_SPACED = """
def upgraded(start: number, end: number, steps: Optional[int]{base_parameter}, *, dtype: Optional[int],
        layout: Optional[int], device: Optional[Device], pin_memory: Optional[bool]) -> Tensor:
    count = 100 if steps is None else steps
    return torch.{name}(start, end, count{base}, dtype=dtype, layout=layout, device=device,
        pin_memory=pin_memory)
"""
_SPACED_OUT = """
def upgraded(start: number, end: number, steps: Optional[int]{base_parameter}, *, out: Tensor) -> Tensor:
    count = 100 if steps is None else steps
    return torch.{name}(start, end, count{base}, out=out)
"""
_GELU = """
def upgraded(self: Tensor) -> Tensor:
    return torch.gelu(self, approximate="none")
"""
_GELU_OUT = """
def upgraded(self: Tensor, *, out: Tensor) -> Tensor:
    return torch.gelu(self, approximate="none", out=out)
"""
_TENSOR_IS_TRUE = "self.is_floating_point() or other.is_floating_point()"
_SCALAR_IS_TRUE = "self.is_floating_point() or isinstance(other, float)"
_OUT_IS_TRUE = f"{_TENSOR_IS_TRUE} or out.is_floating_point()"
_OPTIONS = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"


@dataclass(frozen=True, slots=True)
class OldOperator:
    """`schema` was meant before version `until`; `text` defines ``upgraded``, which computes it."""

    until: int
    schema: str
    text: str


def _division(schema: str, text: str, **parts: str) -> OldOperator:
    """A division of version 3 or older: of integers, it rounded towards zero."""
    given = {"other": "Tensor", "suffix": "", "out": "", "out_parameter": "", "is_true": ""}
    return OldOperator(4, schema, text.format(**(given | parts)))


_OLD = (
    _division(
        "aten::div.Tensor(Tensor self, Tensor other) -> Tensor", _DIVISION, is_true=_TENSOR_IS_TRUE
    ),
    _division(
        "aten::div.Scalar(Tensor self, Scalar other) -> Tensor",
        _DIVISION,
        other="number",
        is_true=_SCALAR_IS_TRUE,
    ),
    _division(
        "aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
        _DIVISION_MODE,
    ),
    _division(
        "aten::div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
        _DIVISION_MODE,
        other="number",
    ),
    _division(
        "aten::div.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
        _DIVISION,
        is_true=_OUT_IS_TRUE,
        out=", out=out",
        out_parameter=", *, out: Tensor",
    ),
    _division(
        "aten::div.out_mode(Tensor self, Tensor other, *, str? rounding_mode, Tensor(a!) out) -> Tensor(a!)",
        _DIVISION_MODE,
        out=", out=out",
        out_parameter=", out: Tensor",
    ),
    _division(
        "aten::div_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
        _IN_PLACE_DIVISION,
        is_true=_TENSOR_IS_TRUE,
        suffix="_",
    ),
    _division(
        "aten::div_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)",
        _IN_PLACE_DIVISION,
        other="number",
        is_true=_SCALAR_IS_TRUE,
        suffix="_",
    ),
    _division(
        "aten::div_.Tensor_mode(Tensor(a!) self, Tensor other, *, str? rounding_mode) -> Tensor(a!)",
        _IN_PLACE_DIVISION_MODE,
        suffix="_",
    ),
    _division(
        "aten::div_.Scalar_mode(Tensor(a!) self, Scalar other, *, str? rounding_mode) -> Tensor(a!)",
        _IN_PLACE_DIVISION_MODE,
        other="number",
        suffix="_",
    ),
    OldOperator(5, f"aten::full(int[] size, Scalar fill_value, *, {_OPTIONS}) -> Tensor", _FULL),
    OldOperator(
        5,
        "aten::full.out(int[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)",
        _FULL_OUT,
    ),
    OldOperator(
        8,
        f"aten::linspace(Scalar start, Scalar end, int? steps=None, *, {_OPTIONS}) -> Tensor",
        _SPACED.format(name="linspace", base="", base_parameter=""),
    ),
    OldOperator(
        8,
        "aten::linspace.out(Scalar start, Scalar end, int? steps=None, *, Tensor(a!) out) -> Tensor(a!)",
        _SPACED_OUT.format(name="linspace", base="", base_parameter=""),
    ),
    OldOperator(
        9,
        f"aten::logspace(Scalar start, Scalar end, int? steps=None, float base=10.0, *, {_OPTIONS}) -> Tensor",
        _SPACED.format(name="logspace", base=", base", base_parameter=", base: float"),
    ),
    OldOperator(
        9,
        "aten::logspace.out(Scalar start, Scalar end, int? steps=None, float base=10.0, *, Tensor(a!) out)"
        " -> Tensor(a!)",
        _SPACED_OUT.format(name="logspace", base=", base", base_parameter=", base: float"),
    ),
    OldOperator(10, "aten::gelu(Tensor self) -> Tensor", _GELU),
    OldOperator(10, "aten::gelu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", _GELU_OUT),
)

_VERSION_OF_KIND = {"aten::div": 4, "aten::div_": 4, "aten::full": 5}
"""Whatever the overload."""


def version_needed_by(graph: Graph) -> int:
    """The lowest version of the format under which every operator of the graph means what it does."""
    needed = 0
    for node in graph.all_nodes():
        needed = max(needed, _VERSION_OF_KIND.get(node.kind, 0))
        if node.operator is not None:
            needed = max(needed, _changes().get(node.operator.qualified_name, 0))
    return needed


@cache
def _changes() -> dict[str, int]:
    return {Operator(each.schema).qualified_name: each.until for each in _OLD}


def toolchain_of_version(version: int, toolchain: Toolchain) -> Toolchain:
    """A toolchain for programs of archives of a version of the format."""
    old = [each for each in _OLD if version < each.until]
    if not old:
        return toolchain
    operators = _OperatorsOfThen(toolchain.operators, old)
    return replace(toolchain, operators=operators, upgrade=_Upgrade(operators, toolchain))


class _OperatorsOfThen(OperatorTable):
    """The operators of today, with some schemas of then in their places."""

    __slots__ = ("old", "today")

    def __init__(self, today: OperatorTable, old: list[OldOperator]) -> None:
        super().__init__()
        self.today = today
        self.old: dict[str, tuple[Operator, OldOperator]] = {}
        for each in old:
            operator = Operator(each.schema)
            self.old[operator.qualified_name] = (operator, each)

    def operators_for(self, name: str) -> tuple[Operator, ...]:
        return tuple(self._of_then(each) for each in self.today.operators_for(name))

    def find(self, name: str, overload_name: str = "") -> Operator | None:
        found = self.today.find(name, overload_name)
        return None if found is None else self._of_then(found)

    def _of_then(self, operator: Operator) -> Operator:
        known = self.old.get(operator.qualified_name)
        return operator if known is None else known[0]

    def names(self) -> tuple[str, ...]:
        return self.today.names()

    def all(self) -> Iterator[Operator]:
        return map(self._of_then, self.today.all())

    def __contains__(self, name: str) -> bool:
        return name in self.today

    def __len__(self) -> int:
        return len(self.today)

    def similar(self, name: str) -> list[str]:
        return self.today.similar(name)


class _Upgrade:
    """Replaces the operators of then in a graph; each definition is compiled when it is first used."""

    def __init__(self, operators: _OperatorsOfThen, toolchain: Toolchain) -> None:
        self._texts = {id(operator): old.text for operator, old in operators.old.values()}
        self._compile: Callable[[str], Function] = cache(partial(_compiled, toolchain=toolchain))

    def __call__(self, graph: Graph) -> bool:
        found: list[tuple[Node, str]] = []
        for node in graph.all_nodes():
            text = self._texts.get(id(node.operator))
            if text is not None:
                found.append((node, text))
        for node, text in found:
            inline_call(node, self._compile(text))
        return bool(found)


def _compiled(text: str, toolchain: Toolchain) -> Function:
    return compile_source(Source(text.lstrip(), "<operator of an older version>"), toolchain)[
        "upgraded"
    ]
