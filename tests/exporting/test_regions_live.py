"""Regions without gradients in PyTorch: results, gradients, and the graphs that its own export writes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest

import tsc

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch")

from tests.exporting.regional_programs import ARGUMENTS, PROGRAMS  # noqa: E402
from tests.exporting.test_regions import exported  # noqa: E402

NOT_CAPTURED = frozenset(
    {
        *("returned early", "branch in it", "in a branch", "loop in it", "in a loop", "assertion"),
    }
)
"""Data decides in them: PyTorch's export captures no ``if`` and ``while``."""
OTHERWISE = {
    "nothing read": "PyTorch keeps what nobody reads",
    "nothing in it": "PyTorch keeps a region of nothing",
    "view": "PyTorch writes a region that gives nothing, which it does not load",
    "nested": "PyTorch begins another region where the inner one begins",
}


def with_gradient(f: Any, elements: list[float]) -> Any:
    """Results, and the gradient of the sum of the first one: zeros, if it has none, as that of `cond` has."""
    x = torch.tensor(elements, requires_grad=True)
    result = f(x)
    results = list(result) if isinstance(result, tuple) else [result]
    held = [each.tolist() if isinstance(each, torch.Tensor) else each for each in results]
    if not results[0].requires_grad:
        return held, [0.0] * len(elements)
    results[0].sum().backward()
    return held, x.grad.tolist()


def called(module: Any) -> Iterator[str]:
    """The operators of a graph and of those that it calls, regions in brackets."""
    for node in module.graph.nodes:
        name = getattr(node.target, "__name__", str(node.target).rpartition("aten.")[2])
        if getattr(node.op, "value", node.op) == "call_function":
            region = str(node.target).endswith("wrap_with_set_grad_enabled")
            yield name.rpartition("higher_order.")[2].rpartition("operator.")[2]
            if region:
                inner = node.args[1].target
                modules = getattr(module, "modules", None)
                body = modules[inner] if isinstance(modules, dict) else getattr(module, inner)
                yield from ["{", *called(body), "}"]


def function(name: str) -> Any:
    """The program as Python runs it."""
    scope: dict[str, Any] = {"torch": torch, "Tensor": torch.Tensor, "Tuple": tuple}
    text = "from __future__ import annotations\n" + PROGRAMS[name]
    exec(compile(text, "<program>", "exec"), scope)
    return scope["f"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_regions_run_in_pytorch(name: str) -> None:
    _, program = exported(name)
    file = io.BytesIO()
    tsc.save_exported(program, file)
    module = torch.export.load(io.BytesIO(file.getvalue())).module()
    for each in ARGUMENTS:
        assert with_gradient(module, each) == with_gradient(function(name), each)


@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - NOT_CAPTURED))
def test_graphs_are_those_of_pytorch(name: str) -> None:
    class Module(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return function(name)(x)

    of_pytorch = torch.export.export(Module(), (torch.tensor(ARGUMENTS[0]),))
    ours, theirs = [list(called(each.graph_module)) for each in (exported(name)[1], of_pytorch)]
    assert (ours == theirs) == (name not in OTHERWISE), (ours, theirs)
