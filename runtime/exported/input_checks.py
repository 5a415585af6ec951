"""Whether arguments are such as a program was exported for: sizes, ranges of symbols, constants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tsc.compiler.exir.exported_program import ExportedProgram, RangeConstraint
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.signature import ConstantArgument, InputKind
from tsc.compiler.exir.symbolic_expressions import SymbolicError, SymbolicExpression
from tsc.compiler.exir.translation.argument_checks import guards_of
from tsc.compiler.exir.translation.scope import TranslationError
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.values.tensor import Tensor


@dataclass(frozen=True, slots=True)
class _Input:
    """What an argument has to be: `name` is what errors call it, `shape` that of a tensor whose sizes are all known."""

    name: str
    value: Any
    constant: ConstantArgument | None
    shape: tuple[Any, ...] | None


class InputChecks:
    """The checks of one program, made once."""

    def __init__(self, program: ExportedProgram) -> None:
        specs = program.graph_signature.input_specs
        nodes = program.graph.placeholders
        given = [
            (node, spec) for node, spec in zip(nodes, specs) if spec.kind is InputKind.USER_INPUT
        ]
        names = program.call_spec.leaf_names()
        if len(names) != len(given):
            raise TranslationError(f"{len(names)} arguments are told of, and {len(given)} inputs")
        self._inputs = [
            _Input(name, node.meta.get("val"), spec.constant, _known_shape(node.meta.get("val")))
            for name, (node, spec) in zip(names, given)
        ]
        self._ranges = program.range_constraints
        self._guards = guards_of(program)

    def checked(self, leaves: Sequence[Any]) -> list[Any]:
        """The arguments that the graph takes: all but constants. Raises `ScriptError` for one that does not fit."""
        bindings: dict[str, int] = {}
        taken: list[Any] = []
        later: list[tuple[str, SymbolicExpression, int]] = []
        for each, leaf in zip(self._inputs, leaves, strict=True):
            if each.constant is not None:
                _check_constant(each, leaf)
                continue
            taken.append(leaf)
            if type(leaf) is Tensor and leaf.array.shape == each.shape:
                continue
            for place, wanted, found in _sizes(each, leaf):
                self._check(place, wanted, found, bindings, later)
        for place, wanted, found in later:
            _check_expression(place, wanted, found, bindings)
        self._check_guards(leaves)
        return taken

    def _check_guards(self, leaves: Sequence[Any]) -> None:
        """Conditions that the program was exported under."""
        if not self._guards:
            return
        names = [each.name for each in self._inputs]
        known = dict(_places(zip(names, leaves, strict=True)))
        for guard in self._guards:
            try:
                holds = guard.condition.value(known)
            except SymbolicError:
                holds = False
            if not holds:
                told = [f"{place} is {known.get(place)}" for place in guard.places]
                raise ScriptError(
                    "AssertionError", f"Guard failed: {guard.text} ({', '.join(told)})"
                )

    def _check(
        self,
        place: str,
        wanted: Any,
        found: int,
        bindings: dict[str, int],
        later: list[tuple[str, SymbolicExpression, int]],
    ) -> None:
        if not isinstance(wanted, SymbolicExpression):
            if wanted != found:
                raise _failed(f"{place} == {wanted}", found)
            return
        self._check_range(place, str(wanted), found)
        solved = wanted.solved(found)
        if solved is not None and solved[0] not in bindings:
            symbol, bindings[symbol] = solved
            if wanted.symbol is not None:
                return
            self._check_range(symbol, symbol, bindings[symbol])
        later.append((place, wanted, found))

    def _check_range(self, place: str, name: str, found: int) -> None:
        constraint = self._ranges.get(name)
        if constraint is not None and not constraint.allows(found):
            raise _failed(
                f"{place} {_broken(constraint, found)}",
                found,
                f"range constraint {name}: {constraint}",
            )


def _known_shape(value: Any) -> tuple[Any, ...] | None:
    if not isinstance(value, FakeTensor) or any(type(each) is not int for each in value.size):
        return None
    return value.size


def _sizes(wanted: _Input, leaf: Any) -> Iterator[tuple[str, Any, int]]:
    """The place, the expected and the found value of every size of an argument; of a number, itself."""
    if not isinstance(wanted.value, FakeTensor):
        if isinstance(wanted.value, SymbolicExpression) and type(leaf) is int:
            yield wanted.name, wanted.value, leaf
        return
    shape = getattr(leaf, "shape", None)
    if shape is None:
        return  # the call refuses what is no tensor
    if len(shape) != len(wanted.value.size):
        raise _failed(f"{wanted.name}.dim() == {len(wanted.value.size)}", len(shape))
    for number, (size, found) in enumerate(zip(wanted.value.size, shape)):
        yield f"{wanted.name}.size()[{number}]", size, int(found)


def _places(leaves: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, int]]:
    """What guards may be about: sizes, strides and offsets of tensors, and numbers."""
    for name, leaf in leaves:
        shape = getattr(leaf, "shape", None)
        if shape is None:
            yield name, leaf
            continue
        yield from ((f"{name}.size()[{dim}]", int(size)) for dim, size in enumerate(shape))
        yield from ((f"{name}.stride()[{dim}]", each) for dim, each in enumerate(leaf.stride()))
        yield f"{name}.storage_offset()", leaf.storage_offset()


def _check_expression(
    place: str, wanted: SymbolicExpression, found: int, bindings: dict[str, int]
) -> None:
    """A size that follows from others, or that is a symbol which is known already."""
    try:
        value = wanted.value(bindings)
    except SymbolicError:
        return  # of symbols that no input tells
    if value != found:
        raise _failed(f"{place} == {wanted}", found, f"{wanted} is {value}")


def _check_constant(wanted: _Input, leaf: Any) -> None:
    value = wanted.constant.value if wanted.constant is not None else None
    if type(leaf) is not type(value) or leaf != value:
        raise _failed(f"{wanted.name} == {value!r}", leaf)


def _broken(constraint: RangeConstraint, found: int) -> str:
    if constraint.checked_lower is not None and found < constraint.checked_lower:
        return f">= {constraint.checked_lower}"
    return f"<= {constraint.upper}"


def _failed(guard: str, found: Any, reason: str = "") -> ScriptError:
    """The error of a guard, which PyTorch words so, with what was found and where the guard comes from."""
    details = f" ({reason})" if reason else ""
    return ScriptError("AssertionError", f"Guard failed: {guard}, and it is {found!r}{details}")
