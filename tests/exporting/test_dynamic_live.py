"""Sizes that may change, in PyTorch: it loads the files, runs them at five sizes, and finds the same constraints."""

from __future__ import annotations

import io
from typing import Any

import pytest

import tsc

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch")

from tests.exporting.dynamic_programs import PROGRAMS, Dynamic  # noqa: E402
from tests.exporting.test_dynamic import exported  # noqa: E402

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


def same(found: Any, expected: Any) -> bool:
    if isinstance(found, tuple):
        return all(map(same, found, expected))
    if isinstance(found, torch.Tensor):
        return found.shape == expected.shape and torch.allclose(found.double(), expected.double())
    return bool(found == expected)


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_run_at_five_sizes(name: str) -> None:
    case = PROGRAMS[name]
    _, program = exported(name)
    file = io.BytesIO()
    tsc.save_exported(program, file)
    module = torch.export.load(io.BytesIO(file.getvalue())).module()
    reference = torch.jit.CompilationUnit(case.text).f
    for size in case.sizes:
        given = arguments(case, size)
        assert same(module(*given), reference(*given)), size


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
