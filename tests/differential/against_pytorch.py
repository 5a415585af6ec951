"""A random tensor program in PyTorch and in tsc: the same dtypes, shapes, values and end."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import torch

import tsc

from .tensor_programs import PARAMETERS, SHAPES
from .ways import CALLS, all_ways

_PRELUDE = "import torch\nfrom torch import Tensor\nfrom typing import List, Tuple\n\n"
TOLERANCE = 1e-4


def check_against_pytorch(source: str) -> None:
    """Fail unless PyTorch and tsc answer the same, or refuse both.

    PyTorch's compiler drops some writes to arguments that its eager mode makes; that mode then
    decides.
    """
    theirs = outcome(lambda: torch.jit.CompilationUnit(source).f, arguments())
    for way in all_ways(source):
        ours = outcome(lambda: warmed(source), our_arguments())
        reason = difference(ours, theirs)
        if reason is not None and not isinstance(theirs, str):
            theirs = outcome(lambda: eager(source), arguments())
            reason = difference(ours, theirs)
        assert reason is None, f"{reason}\n{source}\n{way}\ntsc:     {ours}\nPyTorch: {theirs}"


def eager(source: str) -> Any:
    """The program as a function of Python, which PyTorch does not compile."""
    names: dict[str, Any] = {}
    exec(_PRELUDE + source, names)
    return names["f"]


def warmed(source: str) -> Any:
    """The program in tsc, which was called before."""
    function = tsc.CompilationUnit(_PRELUDE + source).f
    for _ in range(CALLS - 1):
        with contextlib.suppress(tsc.Error):
            function(*our_arguments())
    return function


def our_arguments() -> list[Any]:
    """The arguments as tensors of tsc."""
    return [
        tsc.from_numpy(each.numpy()) if isinstance(each, torch.Tensor) else each
        for each in arguments()
    ]


def arguments() -> list[Any]:
    """The same tensors each time: small numbers, no ties."""
    generator = torch.Generator().manual_seed(1)
    tensors: list[Any] = []
    for name, dtype in PARAMETERS.items():
        values = torch.randn(SHAPES[name], generator=generator, dtype=torch.float64) * 3
        tensors.append((values > 0) if dtype == "bool" else values.to(getattr(torch, dtype)))
    return [*tensors, 2]


def outcome(function: Any, values: list[Any]) -> Any:
    """What the call returns and leaves in its arguments; the text of the error if there is one."""
    try:
        result = function()(*values)
    except (RuntimeError, tsc.Error) as error:
        return f"error: {str(error)[-300:]}"
    return plain([result, values])


def plain(value: Any) -> Any:
    """Tensors as dtype, shape and flat values; tuples and lists as lists."""
    if isinstance(value, torch.Tensor | tsc.Tensor):
        return str(value.dtype), list(value.shape), value.reshape(-1).tolist()
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


def difference(ours: Any, theirs: Any) -> str | None:
    """Why two outcomes are not the same; None if they are."""
    if isinstance(ours, str) or isinstance(theirs, str):
        return (
            None if isinstance(ours, str) and isinstance(theirs, str) else "only one has an error"
        )
    if isinstance(ours, list):
        found = (difference(mine, other) for mine, other in zip(ours, theirs, strict=True))
        return next((reason for reason in found if reason is not None), None)
    if isinstance(ours, tuple):
        if ours[:2] != theirs[:2]:
            return f"{ours[:2]} instead of {theirs[:2]}"
        return None if all(map(close, ours[2], theirs[2])) else f"{ours[2]} instead of {theirs[2]}"
    return None if ours == theirs else f"{ours} instead of {theirs}"


def close(ours: Any, theirs: Any) -> bool:
    if isinstance(theirs, float):
        same = ours == theirs or (math.isnan(ours) and math.isnan(theirs))
        return same or math.isclose(ours, theirs, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return ours == theirs
