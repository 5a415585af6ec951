"""A command that runs an archive, with inputs whose shapes are guessed from its first weights."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from tsc.runtime.inspection.declarations import Method
from tsc.runtime.inspection.module_tree import ModuleInfo, TensorInfo

_FORWARD = "forward"
_EXAMPLES = {"int": "1", "float": "1.0", "bool": "True", "str": "'text'", "number": "1"}
_SIDE = 64
"""Of pictures and signals: enough for most convolutions."""
_STEPS = 8
_CONVOLUTION = re.compile(r"Conv(?:Transpose)?([123])d$")
_RECURRENT = re.compile(r"(?:LSTM|GRU|RNN)(Cell)?$")
_NORMALIZATION = re.compile(r"BatchNorm([123])d$")


def likely_call(
    file: str, methods: Sequence[tuple[str, Method]], modules: Sequence[ModuleInfo]
) -> str | None:
    """``tsc run FILE [METHOD] --args …`` for ``forward`` or the first method; None where there is no telling."""
    named = dict(methods)
    method = named.get(_FORWARD) or next(iter(named.values()), None)
    if method is None:
        return None
    values: list[str] = []
    for number, type in enumerate(_needed(method.declaration)):
        value = _likely_input(modules) if type == "Tensor" and not number else _EXAMPLES.get(type)
        if value is None and type == "Tensor":
            value = "torch.ones(1)"
        if value is None:
            value = "None" if type.startswith("Optional[") else "[]" if "List[" in type else None
        if value is None:
            return None
        values.append(value)
    words = ["tsc", "run", file, *([] if method.name == _FORWARD else [method.name])]
    spelled = f' --args "{", ".join(values)}"' if values else ""
    return f"{shlex.join(words)}{spelled}"


def _needed(declaration: str) -> Iterator[str]:
    """The types of the arguments without default, but for the module itself."""
    inside = declaration[declaration.find("(") + 1 : declaration.rfind(")")]
    if ") ->" in declaration:
        inside = declaration[declaration.find("(") + 1 : declaration.find(") ->")]
    depth, start, pieces = 0, 0, list[str]()
    for position, letter in enumerate(inside):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            pieces.append(inside[start:position])
            start = position + 1
    pieces.append(inside[start:])
    for each in pieces[1:]:
        name, _, type = each.partition(":")
        if name.strip() and "=" not in type and name.strip() != "*":
            yield type.strip()


def _likely_input(modules: Sequence[ModuleInfo]) -> str | None:
    """An input for the first module with weights of which the kind tells the shape."""
    for row in modules:
        weight = next((each for each in row.tensors if len(each.shape) and _is_weight(each)), None)
        if weight is not None:
            found = _input_of(row, weight)
            if found is not None:
                return found
    return None


def _is_weight(tensor: TensorInfo) -> bool:
    return tensor.role == "parameter" and tensor.name.startswith("weight")


def _input_of(row: ModuleInfo, weight: TensorInfo) -> str | None:
    name, shape = row.class_name.rpartition(".")[2], weight.shape
    told = row.constants | row.attributes
    convolution = _CONVOLUTION.search(name)
    if convolution is not None and len(shape) == 2 + int(convolution[1]):
        channels = shape[0] if "Transpose" in name else shape[1] * _number(told.get("groups"))
        return _random(1, channels, *[_SIDE] * int(convolution[1]))
    normalization = _NORMALIZATION.search(name)
    if normalization is not None:
        return _random(2, shape[0], *[_SIDE] * (int(normalization[1]) - 1))
    recurrent = _RECURRENT.search(name)
    if recurrent is not None and len(shape) == 2:
        if recurrent[1]:
            return _random(1, shape[1])
        first = told.get("batch_first") == "True"
        return _random(*((1, _STEPS) if first else (_STEPS, 1)), shape[1])
    if name.startswith("Embedding") and len(shape) == 2:
        return f"torch.zeros(1, {_STEPS}, dtype=torch.long)"
    if name.endswith("Linear") and len(shape) == 2:
        return _random(1, shape[1])
    return None


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() else 1


def _random(*shape: int) -> str:
    return f"torch.rand({', '.join(map(str, shape))})"
