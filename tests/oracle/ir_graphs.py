"""Graphs made by PyTorch, of every kind whose text differs: scripted, inlined, traced, nested.

``python -m tests.oracle.ir_graphs`` records their texts under tests/ir/data, where the tests that
run without PyTorch read them.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

DATA = Path(__file__).parent.parent / "ir" / "data"

SOURCE = Path(__file__).parent / "programs" / "ir_graphs.py"

FUNCTIONS = tuple(
    name
    for name in re.findall(r"^def (\w+)", SOURCE.read_text(encoding="utf-8"), re.MULTILINE)
    if name != "outside"
)


def program() -> ModuleType:
    """The programs as a module that PyTorch finds the source of."""
    specification = importlib.util.spec_from_file_location("ir_graphs_programs", SOURCE)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["ir_graphs_programs"] = module
    specification.loader.exec_module(module)
    return module


def graphs() -> Iterator[tuple[str, Any]]:
    """Names and graphs."""
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    module = program()
    for name in FUNCTIONS:
        yield name, torch.jit.script(getattr(module, name)).graph
    yield from _after_passes(module)
    yield from _modules(module)
    yield from _traced(module)
    yield from _executed(module)
    yield from _tensor_constants()


def _after_passes(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name in ("calls", "library", "forks", "exits"):
        yield f"{name}_inlined", torch.jit.script(getattr(module, name)).inlined_graph
    propagate = torch._C._jit_pass_constant_propagation
    for name in ("constant_containers", "numbers", "devices"):
        yield f"{name}_propagated", _after(propagate, torch.jit.script(getattr(module, name)).graph)
    lower = torch._C._jit_pass_lower_all_tuples
    yield "unpacking_lowered", _after(lower, torch.jit.script(module.unpacking).graph)
    fused = torch.jit.script(module.gates).graph
    yield "gates_canonical", torch._C._jit_pass_canonicalize(fused)
    torch._C._jit_pass_erase_shape_information(fused)
    yield "gates_without_shapes", fused


def _after(run: Callable[[Any], Any], graph: Any) -> Any:
    copy = graph.copy()
    run(copy)
    return copy


def _modules(module: ModuleType) -> Iterator[tuple[str, Any]]:
    net = torch.jit.script(module.Net())
    yield "net", net.graph
    yield "net_inlined", net.inlined_graph
    yield "net_helper", net.helper.graph
    yield "net_frozen", torch.jit.freeze(torch.jit.script(module.Net().eval())).graph
    yield "convolution", torch.jit.script(module.Convolution()).inlined_graph
    yield "with_interface", torch.jit.script(module.WithInterface()).graph


def _traced(module: ModuleType) -> Iterator[tuple[str, Any]]:
    example = torch.ones(2, 3)
    yield "traced", torch.jit.trace(module.Traced.arithmetic, example).graph
    yield "traced_module", torch.jit.trace(module.Net().eval(), torch.ones(2, 2)).inlined_graph
    image = torch.ones(1, 3, 8, 8, dtype=torch.float64).float()
    yield "traced_convolution", torch.jit.trace(module.Convolution().eval(), image).inlined_graph
    learned = torch.ones(2, requires_grad=True)
    yield (
        "traced_python",
        torch.jit.trace(module.Traced.custom, learned).graph,
    )
    types = (torch.zeros((), dtype=torch.int64), torch.zeros(2, dtype=torch.bool), example.half())
    yield "traced_types", torch.jit.trace(module.Traced.types, types).graph


def _executed(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """What the executor made of it: guards, differentiable graphs, profiled shapes."""
    learned = torch.ones(2, 2, requires_grad=True)
    function = torch.jit.script(module.polynomial)
    for _ in range(4):
        function(learned, learned)
    yield "differentiable", function.graph_for(learned, learned)
    plain = torch.jit.script(module.branches)
    for _ in range(4):
        plain(torch.ones(2), torch.ones(2), True)
    yield "executed", plain.graph_for(torch.ones(2), torch.ones(2), True)


TENSORS = {
    "int": torch.tensor(3),
    "float": torch.tensor(0.1),
    "bool": torch.tensor(True),
    "vector": torch.tensor([1, 2, 3]),
    "matrix": torch.ones(2, 2),
    "cube": torch.ones(2, 2, 2),
    "large": torch.zeros(20),
    "empty": torch.tensor([]),
    "mixed": torch.tensor([0.1, 1e10]),
    "scaled": torch.tensor([[1000.5, 2], [3, 4]]),
    "complex": torch.tensor([1.5 + 2j]),
    "complexes": torch.tensor([1.5 + 2j, 3]),
    "undefined_numbers": torch.tensor([float("nan"), float("-inf")]),
}


def _tensor_constants() -> Iterator[tuple[str, Any]]:
    graph = torch._C.Graph()
    for name, tensor in TENSORS.items():
        node = graph.insertNode(graph.create("prim::Constant", [], 1))
        node.t_("value", tensor)
        node.output().setDebugName(name)
        node.output().inferTypeFrom(tensor)
        graph.registerOutput(node.output())
    yield "tensors", graph
    graph = torch._C.Graph()
    node = graph.insertNode(graph.create("custom::kinds", [], 2))
    node.f_("f", 0.5).i_("i", 3).s_("s", "a'b").is_("is", [1, 2]).ss_("ss", ["a", "b"])
    node.is_("none", []).ts_("ts", [torch.ones(2)]).t_("t", torch.ones(2)).fs_("fs", [1.0, 0.1])
    node.fs_("no_floats", []).ss_("no_strings", []).t_("one", torch.tensor(1))
    yield "attributes", graph


def without_machine(text: str) -> str:
    """The text without folders of this machine and numbers that depend on what ran before."""
    text = re.sub(r"# /\S*/site-packages/", "# ", text)
    text = re.sub(r"# /\S*/", "# ", text)
    text = re.sub(r"warn_id=\d+", "warn_id=0", text)
    return re.sub(r"___torch_mangle_\d+\.", "", text)


def main() -> None:
    DATA.mkdir(exist_ok=True)
    for name, graph in graphs():
        (DATA / f"{name}.ir").write_text(without_machine(str(graph)), encoding="utf-8")


if __name__ == "__main__":
    main()
