"""The dialects aten, core and edge: what each of them has, and that programs stay what they are."""

from __future__ import annotations

import io
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import tsc
from tsc.compiler.exir.exported_program import ExportedProgram
from tsc.compiler.exir.graph import Graph, GraphModule
from tsc.compiler.exir.node import Op
from tsc.compiler.exir.signature import ExportGraphSignature, InputKind, InputSpec
from tsc.compiler.exir.targets import Target

from .expressions import expressions
from .test_decompositions import RANDOM, exported, results, same, targets

ALL = {each.name: each for each in expressions()}
PROGRAM = """
import torch
import torch.nn.functional as F
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)
        self.register_buffer("count", torch.zeros(()))
    def forward(self, x):
        self.count.add_(1)
        y = x.clone()
        y[:, 0] = 2.0
        if bool(y.sum() > 0):
            z = F.silu(y)
        else:
            z = y * 2
        return self.linear(z) + self.count
"""


def model() -> Any:
    unit = tsc.CompilationUnit(PROGRAM)
    return unit.Model()


def exported_model() -> Any:
    return tsc.export(model(), (tsc.from_numpy(np.ones((2, 4), np.float32)),))


@pytest.mark.parametrize("name", [*ALL][::2])
def test_edge_gives_the_same(name: str) -> None:
    program, expression = exported(name), ALL[name]
    if program is None or expression.text == "x.t_()":
        pytest.skip("is not exported")
    edge = tsc.to_edge(program)
    tsc.verify_exported(edge)
    if not any(each in name for each in RANDOM):
        assert all(map(same, results(edge, expression), results(program, expression)))


@pytest.mark.parametrize("dialect", ["aten", "core", "edge"])
def test_of_a_module_with_branches_and_buffers(dialect: str) -> None:
    program = exported_model()
    wanted = results_of(program)
    found = {
        "aten": lambda: program.run_decompositions(()),
        "core": program.run_decompositions,
        "edge": lambda: tsc.to_edge(program),
    }[dialect]()
    tsc.verify_exported(found, dialect)
    assert all(map(same, results_of(found), wanted))
    content = io.BytesIO()
    tsc.save_exported(found, content)
    again = tsc.load_exported(io.BytesIO(content.getvalue()))
    tsc.verify_exported(again, dialect)
    assert all(map(same, results_of(again), wanted))
    assert again.graph_signature.buffers_to_mutate == {"add": "count"} or dialect == "edge"


def results_of(program: Any) -> list[Any]:
    """Of two calls, so that what is written shows; the module is made anew."""
    content = io.BytesIO()
    tsc.save_exported(program, content)
    module = tsc.load_exported(io.BytesIO(content.getvalue())).module()
    given = tsc.from_numpy(np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4))
    with tsc.no_grad():
        return [module(given), module(given)]


def test_tells_numbers_and_dtypes_by_operators() -> None:
    text = "import torch\ndef f(x: Tensor, y: Tensor):\n    return (x + 1) * y\n"
    given = (tsc.tensor([1, 2]), tsc.tensor([0.5, 1.5]))
    edge = tsc.to_edge(tsc.export(tsc.CompilationUnit(text).f, given))
    assert targets(edge) == [
        *("aten.full.default", "aten.add.Tensor"),
        *("dim_order_ops._to_dim_order_copy.default", "aten.mul.Tensor"),
    ]
    assert edge.module()(*given).tolist() == [1.0, 4.5]


def test_orders_of_dimensions_take_the_place_of_memory_formats() -> None:
    text = "import torch\ndef f(x: Tensor):\n    return x.contiguous(memory_format=torch.channels_last)\n"
    given = tsc.from_numpy(np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4))
    edge = tsc.to_edge(tsc.export(tsc.CompilationUnit(text).f, (given,)))
    node = edge.graph.find_nodes(Op.CALL_FUNCTION)[0]
    assert str(node.target) == "torch.ops.dim_order_ops._clone_dim_order.default"
    assert node.kwargs["dim_order"] == [0, 2, 3, 1]
    found = edge.module()(given)
    assert found.stride() == (24, 1, 8, 2)
    assert same(found, given)


def test_views_that_are_written_are_computed() -> None:
    text = """
import torch
def f(x: Tensor):
    y = x * 1
    rows = y.view(-1)
    part = y.transpose(0, 1)[1]
    part.add_(10)
    rows[0] = 5.0
    return y, rows, part
"""
    given = tsc.from_numpy(np.arange(6, dtype=np.float32).reshape(2, 3))
    program = tsc.export(tsc.CompilationUnit(text).f, (given,))
    for table in ((), None):
        found = program.run_decompositions(table)
        tsc.verify_exported(found, "aten")
        assert all(map(same, found.module()(given), program.module()(given)))


def test_a_table_decomposes_what_is_in_it() -> None:
    table = tsc.default_decompositions()
    table.discard("aten::linear")
    found = exported_model().run_decompositions(table)
    assert "aten.linear.default" in targets(found)


def test_a_program_that_writes_is_not_of_aten() -> None:
    with pytest.raises(tsc.VerificationError) as caught:
        tsc.verify_exported(exported_model(), "aten")
    first = caught.value.violations[0]
    assert first.node == "add_"
    assert "writes to its arguments" in first.rule


def test_an_operator_outside_of_core_is_named() -> None:
    text = "import torch\ndef f(x: Tensor):\n    return torch.erfinv(x)\n"
    program = tsc.export(tsc.CompilationUnit(text).f, (tsc.tensor([0.5]),)).run_decompositions()
    with pytest.raises(tsc.VerificationError, match=r"erfinv: aten::erfinv is not of core ATen"):
        tsc.verify_exported(program, "core")


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(tsc.Error, match="there are: training, aten, core, edge, backend"):
        tsc.verify_exported(exported_model(), "corn")


def test_structure_and_signature_are_checked() -> None:
    graph = Graph()
    x = graph.placeholder("x")
    graph.call_function(Target("torch.ops.aten.relu.default"), (x,))
    module = GraphModule(graph)
    program = exported_model()
    broken = ExportedProgram(module, ExportGraphSignature([], []), program.call_spec)
    with pytest.raises(tsc.VerificationError, match="a graph has one output"):
        tsc.verify_exported(broken)
    graph.output((x,))
    with pytest.raises(tsc.VerificationError, match="its inputs are not those of the graph"):
        tsc.verify_exported(broken)
    lost = InputSpec(InputKind.PARAMETER, "x", "weight")
    broken = ExportedProgram(module, ExportGraphSignature([lost], []), program.call_spec)
    with pytest.raises(tsc.VerificationError, match="the program holds no parameter weight"):
        tsc.verify_exported(broken)


def test_sizes_that_change_stay_symbols() -> None:
    text = """
import torch.nn.functional as F
def f(x: Tensor, w: Tensor):
    a, b = F.linear(x, w).chunk(2, 0)
    return F.silu(a).reshape(-1)
"""
    unit = tsc.CompilationUnit(text)
    given = (
        tsc.from_numpy(np.ones((6, 2, 4), np.float32)),
        tsc.from_numpy(np.ones((3, 4), np.float32)),
    )
    program = tsc.export(unit.f, given, dynamic_shapes={"x": {0: tsc.Dim("rows", min=4, max=64)}})
    for found in (program.run_decompositions(), tsc.to_edge(program)):
        for rows in (4, 6, 10):
            x = np.random.default_rng(rows).random((rows, 2, 4)).astype(np.float32)
            args = (tsc.from_numpy(x), given[1])
            assert same(found.module()(*args), unit.f(*args))


def test_programs_of_fixed_sizes_need_no_sympy() -> None:
    text = (
        "import sys; sys.modules['sympy'] = None\n"
        "import tsc\n"
        "f = tsc.CompilationUnit('def f(x: Tensor):\\n    return torch.square(x) + 1\\n').f\n"
        "program = tsc.export(f, (tsc.tensor([3.0]),))\n"
        "print(program.run_decompositions().module()(tsc.tensor([3.0])).item())\n"
        "print(tsc.to_edge(program).module()(tsc.tensor([3.0])).item())\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout == "10.0\n10.0\n"
