"""Sizes that may change, in PyTorch: it loads the files, runs them at five sizes, and finds the same constraints."""

from __future__ import annotations

import io
import re
from functools import cache
from typing import Any

import pytest

import tsc

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch")

from tests.exporting import test_dynamic, test_dynamic_modules  # noqa: E402
from tests.exporting.dynamic_modules import PROGRAMS as MODULES  # noqa: E402
from tests.exporting.dynamic_programs import PROGRAMS, Dynamic  # noqa: E402
from tests.exporting.test_dynamic import exported  # noqa: E402

ALL = PROGRAMS | MODULES
ROUNDING = 2e-3
"""Between kernels here and there: distances are roots of small differences."""

REFUSED_BY_PYTORCH = {
    "a loop of data": "it does not capture while",
    "a branch of data": "it does not capture if",
    "number of elements": "it fixes the number of elements that is multiplied with",
    "list of sizes": "it fixes sizes that reshape to themselves",
    "sizes in tensors": "it reads them as numbers that data decides",
}
OTHER_CONSTRAINTS = {"halved": "PyTorch leaves out 2, half of which would be broadcast"}


def arguments(case: Dynamic, size: int) -> tuple[Any, ...]:
    torch.manual_seed(size)
    return tuple(torch.rand(*each) for each in case.shapes(size))


def same(found: Any, expected: Any, error: float = 1e-6) -> bool:
    if isinstance(found, tuple):
        return all(same(*each, error) for each in zip(found, expected, strict=True))
    if isinstance(found, torch.Tensor):
        both = [each.to(torch.complex128) for each in (found, expected)]
        return found.shape == expected.shape and torch.allclose(*both, rtol=1e-5, atol=error)
    return bool(found == expected)


@cache
def loaded(name: str) -> tuple[Any, Any]:
    """A program, and its file as a module of PyTorch."""
    made = (test_dynamic if name in PROGRAMS else test_dynamic_modules).exported(name)[1]
    file = io.BytesIO()
    tsc.save_exported(made, file)
    return made, torch.export.load(io.BytesIO(file.getvalue())).module()


def eager(case: Dynamic) -> Any:
    scope: dict[str, Any] = {"torch": torch, "Tensor": torch.Tensor, "F": torch.nn.functional}
    exec(compile(case.text.replace("Tuple[", "tuple["), "<program>", "exec"), scope)
    return scope["f"]


@pytest.mark.parametrize("name", ALL)
def test_programs_run_at_five_sizes(name: str) -> None:
    case = ALL[name]
    program, module = loaded(name)
    for size in case.sizes:
        given = arguments(case, size)
        expected = eager(case)(*given)
        assert same(module(*given), expected), size
        own = program.module()(*[tsc.from_numpy(each.numpy()) for each in given])
        assert same(plain(own), expected, ROUNDING), size


@pytest.mark.parametrize("name", ALL)
def test_sizes_outside_of_constraints_are_refused_here_and_in_pytorch(name: str) -> None:
    """Those that the program is not for; the error says which constraint they break."""
    program, module = loaded(name)
    for size in (1, 65):
        try:
            given = arguments(ALL[name], size)
        except RuntimeError:
            continue  # there are no such arguments
        try:
            program.module().check_arguments(*[tsc.from_numpy(each.numpy()) for each in given])
        except tsc.ScriptError as error:
            assert re.match(r"Guard failed: .*size\(\)", error.message)
            if re.search(r">= [012]\b", error.message):
                continue  # PyTorch lets these run, whatever comes out
            with pytest.raises((AssertionError, RuntimeError)):
                module(*given)


def plain(value: Any) -> Any:
    """Tensors as those of PyTorch."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return torch.from_numpy(value.numpy()) if isinstance(value, tsc.Tensor) else value


@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - REFUSED_BY_PYTORCH.keys()))
def test_constraints_are_those_of_pytorch(name: str) -> None:
    case = PROGRAMS[name]
    scope: dict[str, Any] = {"torch": torch, "Tensor": torch.Tensor, "Tuple": tuple}
    exec(compile(case.text.replace("Tuple[int, Tensor]", "Tuple"), "<program>", "exec"), scope)

    class Module(torch.nn.Module):
        pass

    Module.forward = lambda self, x, y=None: scope["f"](*[e for e in (x, y) if e is not None])
    given = arguments(case, case.example)
    dims = case.declared(torch.export.Dim)
    of_pytorch = torch.export.export(Module(), given, dynamic_shapes=dims)
    ours = {key: str(each) for key, each in exported(name)[1].range_constraints.items()}
    theirs = {
        str(key): f"VR[{each.lower}, {each.upper}]"
        for key, each in of_pytorch.range_constraints.items()
    }
    assert (ours == theirs) == (name not in OTHER_CONSTRAINTS)


def halves(x: Any) -> Any:
    b, n, d = x.shape
    y = x.view(b * n, d).view(b, n // 2, 2, -1).transpose(1, 2)
    return y.reshape(b, -1)[:, : n * d - 1], torch.zeros(b + 1, n)


def windows(x: Any) -> Any:
    b, n, d = x.shape
    places = torch.arange(n - n % 2).view(-1, 2)
    return x[:, places].view(b * (n // 2), 2 * d) - (b - n)


def heads(x: Any) -> Any:
    b, n, d = x.size()
    y = x.view(b, n, 2, d // 2).permute(0, 2, 1, 3).reshape(-1, n, d // 2)
    return torch.bmm(y, y.transpose(1, 2)).view(b, 2, n, n) / n


@pytest.mark.parametrize("function", [halves, windows, heads])
def test_traces_that_compute_with_sizes_keep_them(function: Any) -> None:
    content = io.BytesIO()
    torch.jit.save(torch.jit.trace(function, torch.rand(3, 4, 6)), content)
    loaded = tsc.load(io.BytesIO(content.getvalue()))
    declared = {0: tsc.Dim("b", min=2, max=16), 1: tsc.Dim.AUTO}
    program = tsc.export(loaded, (tsc.rand(3, 4, 6),), dynamic_shapes=[declared])
    file = io.BytesIO()
    tsc.save_exported(program, file)
    module = torch.export.load(io.BytesIO(file.getvalue())).module()
    for size in ((2, 6), (7, 8), (16, 2)):
        x = torch.rand(*size, 6)
        assert same(module(x), function(x))
        own, wanted = program.module()(tsc.tensor(x.tolist())), function(x)
        assert [each.shape for each in _all(own)] == [each.shape for each in _all(wanted)]


def _all(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
