"""Answers: what a program compiles to and returns, in a form that JSON holds and two implementations share.

An answer has the keys ``error`` (the program does not compile: the first line of the message), or else
``graph`` and ``code`` (text by function name) and ``results`` (one a call). A result is ``{"value": ...}`` or
``{"raised": kind}``.
"""

from __future__ import annotations

import math
import re
from typing import Any

Answer = dict[str, Any]

_VALUE = re.compile(r'"(?:[^"\\]|\\.)*"|%[A-Za-z0-9_.]+')
_COMMENT = re.compile(r" # [^\n]*?:\d+:\d+$", re.MULTILINE)
_MANGLED = re.compile(r"___torch_mangle_\d+\.|\bZ\.|\b__torch__\.(?=[A-Z]|___torch_mangle_)")


def normalize_graph(text: str) -> str:
    """The graph text without source comments, with values renamed in the order of their appearance.

    Classes of the program are without their module. Graphs behind the first have names of their own.
    """
    graphs = _MANGLED.sub("", _COMMENT.sub("", text)).split("\nwith ")
    return "\nwith ".join(map(_rename_values, graphs)).rstrip()


def _rename_values(graph: str) -> str:
    names: dict[str, str] = {}

    def rename(match: re.Match[str]) -> str:
        text = match.group()
        return text if text.startswith('"') else names.setdefault(text, f"%{len(names)}")

    return _VALUE.sub(rename, graph)


def normalize_code(text: str) -> str:
    """The printed source without mangling numbers, and without the module of classes."""
    return _MANGLED.sub("", text).rstrip()


def number(value: float) -> Any:
    """A float as JSON can hold it."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    return value


def plain(value: Any, tensor: Any) -> Any:
    """A result as JSON: `tensor(value)` describes tensors or returns None for other values."""
    described = tensor(value)
    if described is not None:
        return described
    if isinstance(value, bool) or value is None or isinstance(value, int | str):
        return value
    if isinstance(value, float):
        return {"float": repr(value)}
    if isinstance(value, complex):
        return {"complex": [repr(value.real), repr(value.imag)]}
    if isinstance(value, tuple):
        return {"tuple": [plain(item, tensor) for item in value]}
    if isinstance(value, list):
        return [plain(item, tensor) for item in value]
    if isinstance(value, dict):
        pairs = [[plain(key, tensor), plain(item, tensor)] for key, item in value.items()]
        return {"dict": pairs}
    return {"other": str(value)}


def nested(values: Any) -> Any:
    """Nested lists of tensor elements as JSON: complex and non-finite numbers by name."""
    if isinstance(values, list):
        return [nested(item) for item in values]
    if isinstance(values, complex):
        return {"complex": [repr(values.real), repr(values.imag)]}
    return number(values)


def describe_tensor(dtype: str, shape: list[int], values: Any) -> Any:
    """The description of a tensor in an answer."""
    return {"tensor": dtype, "shape": shape, "values": nested(values)}


DOUBLE = 1e-9
"""How far float64 may be off, and numbers of Python, which are float64."""
SINGLE = 1e-4
"""How far tensors of lesser precision may be off."""


def same_value(ours: Any, theirs: Any, tolerance: float | None = None) -> bool:
    """Whether two results agree; floats agree within `tolerance`, relatively, or near zero absolutely.

    Where no tolerance is given, that of the dtype is taken: `DOUBLE` for float64 and numbers, else `SINGLE`.
    """
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if tolerance is None and "tensor" in ours:
            tolerance = (
                DOUBLE if ours["tensor"] in ("torch.float64", "torch.complex128") else SINGLE
            )
        if "float" in ours and "float" in theirs:
            return same_number(float(ours["float"]), float(theirs["float"]), tolerance)
        if "complex" in ours and "complex" in theirs:
            parts = zip(ours["complex"], theirs["complex"], strict=True)
            return all(same_number(float(a), float(b), tolerance) for a, b in parts)
        same_keys = ours.keys() == theirs.keys()
        return same_keys and all(same_value(ours[k], theirs[k], tolerance) for k in ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        pairs = zip(ours, theirs, strict=False)
        return len(ours) == len(theirs) and all(same_value(a, b, tolerance) for a, b in pairs)
    if isinstance(ours, float) and isinstance(theirs, float | int):
        return same_number(ours, float(theirs), tolerance)
    return type(ours) is type(theirs) and ours == theirs


def same_number(a: float, b: float, tolerance: float | None) -> bool:
    """Equality of two floats within a relative tolerance, `DOUBLE` if it is None; NaN equals NaN."""
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    within = DOUBLE if tolerance is None else tolerance
    return math.isclose(a, b, rel_tol=within, abs_tol=within * 0.1)
