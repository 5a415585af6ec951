"""Functions that run while a program is captured, and what nodes of its graph are told of where they come from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tsc.compiler.ir import Function, Node, Value
from tsc.compiler.source import UNKNOWN_RANGE, SourceRange

_LIBRARY: Final = "torch/nn/functional/"
_PREFIX: Final = "__torch__."
_MODULES: Final = "torch.nn.modules."
_FUNCTIONS: Final = "torch.nn.functional."
_CALLED: Final = re.compile(r"forward(_tensor|_packed|_*\d+)?")
"""How modules are called: again in traces, and by overloads."""
_MANGLED: Final = re.compile(r"\.___torch_mangle_\d+")


@dataclass(slots=True)
class Frame:
    """A function that runs: what its values are, the node it is at, and the module it is a method of."""

    function: Function
    owner: Any
    values: dict[Value, Any] = field(default_factory=dict[Value, Any])
    node: Node | None = None

    @property
    def range(self) -> SourceRange:
        """Of the node that runs."""
        return UNKNOWN_RANGE if self.node is None else self.node.range


def place_of(frame: Frame) -> str:
    """File and line of the node that runs."""
    assert frame.node is not None
    place = frame.node.range.original
    return f"{place.filename}:{place.line}"


def metadata_of(frames: Sequence[Frame], modules: Mapping[int, str]) -> dict[str, Any]:
    """Lines and modules that lead to where these frames are."""
    return {"stack_trace": _stack_trace(frames), "nn_module_stack": _module_stack(frames, modules)}


def _stack_trace(frames: Sequence[Frame]) -> str:
    """The lines of the program that led here, the innermost last, as Python's tracebacks have them."""
    lines: list[str] = []
    for frame in frames:
        place = None if frame.node is None else frame.node.range.original
        if place is None or place.filename.startswith((_LIBRARY, "<unknown>")):
            continue
        code = place.source.line_text(place.line).strip()
        lines.append(
            f'  File "{place.filename}", line {place.line}, in {frame.function.name}\n    {code}\n'
        )
    return "".join(lines)


def source_function(frames: Sequence[Frame]) -> str | None:
    """The module or function of PyTorch that is running: the innermost module of its library, or else the outermost
    function; None where a program calls an operator itself."""
    for frame in reversed(frames):
        if frame.owner is not None:
            name = frame.owner.script_type.qualified_name.removeprefix(_PREFIX)
            if name.startswith(_MODULES):
                return name
            break
    names = [frame.function.qualified_name.removeprefix(_PREFIX) for frame in frames]
    return next((name for name in names if name.startswith(_FUNCTIONS)), None)


def _module_stack(
    frames: Sequence[Frame], modules: Mapping[int, str]
) -> dict[str, tuple[str, str]]:
    """The modules that are called around a node, by paths; other methods than `forward` are no calls of modules."""
    stack: dict[str, tuple[str, str]] = {}
    for frame in frames:
        path = modules.get(id(frame.owner))
        if path is not None and (not stack or _CALLED.fullmatch(frame.function.name)):
            name = frame.owner.script_type.qualified_name.removeprefix(_PREFIX)
            stack[f"L__self__{path}"] = (path, _MANGLED.sub("", name))
    return stack
