"""Graphs as Python code, as FX generates it."""

from __future__ import annotations

from tests.exir.programs import BRANCHES, MANY_ARGUMENTS
from tsc.compiler.exir.arguments import TorchConstant
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.fx_parser import parse_fx_graph
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.python_code import python_code, readable_code
from tsc.compiler.exir.symbolic_expressions import SymbolicExpression

INNER = """graph():
    %x : [num_users=1] = placeholder[target=x]
    %sin : [num_users=1] = call_function[target=torch.ops.aten.sin.default](args = (%x,), kwargs = {})
    return (sin,)"""


def test_values_are_freed_after_their_last_use() -> None:
    assert python_code(parse_fx_graph(BRANCHES)) == (
        "def forward(self, x):\n"
        "    sym_size_int = torch.ops.aten.sym_size.int(x, 0)\n"
        "    eq = sym_size_int == 1;  sym_size_int = None\n"
        "    true_graph_0 = self.true_graph_0\n"
        "    false_graph_0 = self.false_graph_0\n"
        "    cond = torch.ops.higher_order.cond(eq, true_graph_0, false_graph_0, (x,));"
        "  eq = true_graph_0 = false_graph_0 = x = None\n"
        "    getitem = cond[0];  cond = None\n"
        "    return (getitem,)\n"
    )


def test_constants_are_as_python_writes_them() -> None:
    code = python_code(parse_fx_graph(MANY_ARGUMENTS))
    assert "def forward(self, x, k = 3):" in code
    assert "div = torch.ops.aten.div.Tensor_mode(x, 2, rounding_mode = 'trunc')" in code
    assert (
        "dtype = torch.int8, layout = torch.strided, device = device(type='cpu'), pin_memory = False"
        in code
    )
    assert "torch.ops.aten.clamp.default(x, -inf, 1e+30)" in code
    assert "return (clamp, fft_fft, einsum, 3, 'hey', None)" in code


def test_readable_code_has_values_places_and_branches() -> None:
    module = GraphModule(
        parse_fx_graph(BRANCHES), {"true_graph_0": GraphModule(parse_fx_graph(INNER))}
    )
    x, size, *_ = module.graph.nodes
    x.meta["val"] = FakeTensor((4, 3), TorchConstant("float32"), (3, 1))
    size.meta["val"] = SymbolicExpression("Symbol", ("s0",))
    size.meta["stack_trace"] = '  File "model.py", line 7, in forward\n    n = x.size(0)\n'
    code = readable_code(module)
    assert 'def forward(self, x: "f32[4, 3]"):' in code
    assert "        # File: model.py:7 in forward, code: n = x.size(0)\n" in code
    assert '        sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 0)\n' in code
    assert "    class true_graph_0(torch.nn.Module):\n        def forward(self, x):\n" in code
    assert "# No stacktrace found for following nodes" in code
