"""What a program is, as plain texts: of tsc and of PyTorch in the same form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import sympy
import torch

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Op
from tsc.compiler.exir.symbolic_expressions import SymbolicExpression
from tsc.compiler.exir.symbols.conversion import from_expression

_SIZES = (36, 60, 600)
_PYTHON = (
    "higher_order.",
    "_operator.",
    "<built-in function ",
    "<function ",
    "operator.",
    "torch.",
    "math.",
)


@dataclass
class Form:
    """A program: what it calls, its signature, the ranges of its symbols, and what nodes are told to be."""

    operators: list[str]
    signature: list[str]
    constraints: dict[str, str]
    metadata: list[str] = field(default_factory=list)
    """Sizes, strides and dtypes of what each call gives."""
    paths: list[str] = field(default_factory=list)
    """The modules that each call is in."""


def of_tsc(program: Any) -> Form:
    """Of a program that tsc made."""
    calls = program.graph.find_nodes(Op.CALL_FUNCTION)
    signature = program.graph_signature
    return Form(
        [_plain(str(each.target).removeprefix("torch.ops.")) for each in _all_calls(program)],
        [
            *[
                _input(each.kind.name, each.target, each.persistent)
                for each in signature.input_specs
            ],
            *[f"-> {each.kind.name} {each.target or ''}" for each in signature.output_specs],
        ],
        {name: str(each) for name, each in program.range_constraints.items()},
        [_told(each.meta["val"]) for each in calls if _gives_tensors(each)],
        [_path(each.meta.get("nn_module_stack")) for each in calls if _gives_tensors(each)],
    )


def of_pytorch(program: torch.export.ExportedProgram) -> Form:
    """Of a program of PyTorch."""
    calls = [each for each in program.graph.nodes if each.op == "call_function"]
    signature = program.graph_signature
    return Form(
        [_plain(str(each.target)) for each in _all_calls_of_pytorch(program.graph_module)],
        [
            *[
                _input(each.kind.name, each.target, each.persistent)
                for each in signature.input_specs
            ],
            *[f"-> {each.kind.name} {each.target or ''}" for each in signature.output_specs],
        ],
        {
            str(name): f"VR[{each.lower}, {each.upper}]"
            for name, each in program.range_constraints.items()
        },
        [_told(each.meta["val"]) for each in calls if _gives_tensors(each)],
        [_path(each.meta.get("nn_module_stack")) for each in calls if _gives_tensors(each)],
    )


def _all_calls(program: Any) -> Iterator[Any]:
    def of(module: Any) -> Iterator[Any]:
        for node in module.graph.nodes:
            if node.op is Op.CALL_FUNCTION:
                yield node
            elif node.op is Op.GET_ATTR:
                yield from of(module.modules[str(node.target)])

    yield from of(program.graph_module)


def _all_calls_of_pytorch(module: Any) -> Iterator[Any]:
    for node in module.graph.nodes:
        if node.op == "call_function":
            yield node
        elif node.op == "get_attr" and isinstance(
            inner := getattr(module, node.target), torch.fx.GraphModule
        ):
            yield from _all_calls_of_pytorch(inner)


def _plain(target: str) -> str:
    """Functions of Python by their names alone."""
    for each in _PYTHON:
        if target.startswith(each):
            target = target.removeprefix(each).partition(" at ")[0].rstrip(">")
            return target.rpartition(".")[2]
    return target


def _gives_tensors(node: Any) -> bool:
    """Both compute sizes in an order of their own."""
    return isinstance(node.meta.get("val"), torch.Tensor | FakeTensor | tuple | list)


def _input(kind: str, target: str | None, persistent: bool | None) -> str:
    return " ".join(map(str, [kind, target or "", "" if persistent is None else persistent]))


def _path(stack: Any) -> str:
    """The paths of the modules, from the outermost."""
    return " / ".join(each[0] for each in (stack or {}).values())


def _told(value: Any) -> str:
    """The sizes, strides and dtype of a tensor, or of several; a number as it is."""
    if isinstance(value, torch.Tensor):
        return _tensor(str(value.dtype).removeprefix("torch."), value.shape, value.stride())
    if isinstance(value, FakeTensor):
        return _tensor(value.dtype.name, value.size, value.stride or ())
    if isinstance(value, tuple | list):
        return f"({', '.join(map(_told, value))})"
    if isinstance(value, SymbolicExpression | torch.SymInt):
        return _size(value)
    return str(value)


def _tensor(dtype: str, sizes: Any, strides: Any) -> str:
    return f"{dtype}[{', '.join(map(_size, sizes))}] by [{', '.join(map(_size, strides))}]"


def _size(size: Any) -> str:
    """A number, or what an expression is for several sizes: both may write it in several ways."""
    if isinstance(size, int):
        return str(size)
    found = from_expression(size) if isinstance(size, SymbolicExpression) else size.node.expr
    told = [str(found.xreplace(_chosen(found, first))) for first in _SIZES]
    return told[0] if len(set(told)) == 1 else f"{{{', '.join(told)}}}"


def _chosen(expression: Any, first: int) -> dict[Any, Any]:
    """A value for each symbol, by the number in its name."""
    numbers = {each: int(each.name.lstrip("suzf") or 0) for each in expression.free_symbols}
    return {each: sympy.Integer(first + 6 * number) for each, number in numbers.items()}
