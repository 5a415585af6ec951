"""The statements of the reference document of EXIR (July 2023), in its order, held by programs exported here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tsc
from tsc.compiler.exir.arguments import TorchConstant, leaves
from tsc.compiler.exir.exported_program import CallSpec, ExportedProgram, InputDim, RangeConstraint
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.fx_parser import parse_fx_graph
from tsc.compiler.exir.graph import Graph
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.pytrees import tree_flatten
from tsc.compiler.exir.symbolic_expressions import SymbolicExpression
from tsc.compiler.exir.targets import GETITEM, Target
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.types.tensor_options import Device

MODULE = """
import torch
import torch.nn.functional as F
def dummy_helper(y):
    return y + 1
class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 3)
    def forward(self, x):
        return self.linear(x)
class MyModule(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.register_buffer("steps", torch.zeros(()))
    def forward(self, x):
        self.steps.add_(1)
        if bool(x.sum() > 0):
            y = self.block(x)
        else:
            y = F.relu(x)
        return x + dummy_helper(y)
"""


def function(body: str, arguments: str = "x: Tensor") -> Any:
    lines = body.replace("\n", "\n    ")
    return tsc.CompilationUnit(f"import torch\ndef f({arguments}):\n    {lines}\n").f


@pytest.fixture(scope="module")
def program() -> Any:
    module = tsc.CompilationUnit(MODULE, filename="my_module.py").MyModule()
    return tsc.export(module, (tsc.ones(2, 3),))


def node(program: Any, name: str) -> Node:
    return next(each for each in program.graph.nodes if each.name == name)


# -- What EXIR is -----------------------------------------------------------------------------------


def test_a_graph_becomes_python(program: Any) -> None:
    code = str(program)
    assert "def forward(self, p_block_linear_weight" in code
    assert "torch.ops.aten.add.Tensor(x, add)" in code


def test_interpreting_a_graph_node_by_node_gives_its_results() -> None:
    found = tsc.export(function("return (x + 1) * x"), (tsc.tensor([2.0]),))
    values: dict[Node, Any] = {}
    calls = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b}
    for each in found.graph.nodes:
        given = [values.get(arg, arg) for arg in leaves(each.args)]
        if each.op is Op.PLACEHOLDER:
            values[each] = 2.0
        elif each.op is Op.CALL_FUNCTION:
            values[each] = calls[each.target.base_name](*given)
        else:
            assert given == [6.0]


# -- ExportedProgram --------------------------------------------------------------------------------


def test_an_exported_program_has_the_attributes(program: Any) -> None:
    assert isinstance(program, ExportedProgram)
    assert program.graph is program.graph_module.graph
    signature = program.graph_signature
    assert signature.parameters == ("block.linear.weight", "block.linear.bias")
    assert signature.buffers == ("steps",)
    assert signature.user_inputs == ("x",)
    assert signature.inputs_to_buffers == {"b_steps": "steps"}
    assert isinstance(program.call_spec, CallSpec)
    assert list(program.state_dict) == ["block.linear.weight", "block.linear.bias", "steps"]
    assert program.range_constraints == {}
    assert program.equality_constraints == ()


def test_parameters_and_buffers_are_inputs_and_no_attributes(program: Any) -> None:
    inputs = [each.name for each in program.graph.placeholders]
    assert inputs == ["p_block_linear_weight", "p_block_linear_bias", "b_steps", "x"]
    read = {each.target for each in program.graph.find_nodes(Op.GET_ATTR)}
    assert read == set(program.graph_module.modules) == {"true_graph_0", "false_graph_0"}


def test_the_signature_tells_which_buffers_are_written(program: Any) -> None:
    found = program.run_decompositions().graph_signature
    assert list(found.buffers_to_mutate.values()) == ["steps"]


def test_the_call_spec_flattens_and_unflattens() -> None:
    f = function("return x + 1, (y[0], y[1])", "x: Tensor, y: List[Tensor]")
    given = (tsc.tensor([1.0]), [tsc.tensor([2.0]), tsc.tensor([3.0])])
    found = tsc.export(f, given)
    flat = found.call_spec.in_spec.flatten((given, {}))
    assert [each.item() for each in flat] == [1.0, 2.0, 3.0]
    assert found.call_spec.out_spec.unflatten([1, 2, 3]) == (1, (2, 3))


def test_range_constraints_map_symbols_to_bounds() -> None:
    pytest.importorskip("sympy")
    given = tsc.ones(4, 3)
    batch = tsc.Dim("batch", min=2, max=16)
    found = tsc.export(function("return x * 2"), (given,), dynamic_shapes={"x": {0: batch}})
    ((symbol, constraint),) = found.range_constraints.items()
    assert constraint == RangeConstraint(2, 16)
    assert str(node(found, "x").meta["val"].size[0]) == symbol


def test_equality_constraints_are_pairs_of_input_dimensions(program: Any) -> None:
    pairs = [(InputDim("x", 0), InputDim("y", 0))]
    told = ExportedProgram(
        program.graph_module,
        program.graph_signature,
        program.call_spec,
        equality_constraints=pairs,
    )
    assert told.equality_constraints[0][1].input_name == "y"


# -- Graph ------------------------------------------------------------------------------------------


def test_a_graph_is_a_list_of_nodes_inputs_first_and_one_output_last(program: Any) -> None:
    ops = [each.op for each in program.graph.nodes]
    count = ops.count(Op.PLACEHOLDER)
    assert all(each is Op.PLACEHOLDER for each in ops[:count])
    assert Op.PLACEHOLDER not in ops[count:]
    assert ops.count(Op.OUTPUT) == 1
    assert ops[-1] is Op.OUTPUT


def test_edges_lead_forward_only(program: Any) -> None:
    seen: set[Node] = set()
    for each in program.graph.nodes:
        assert seen.issuperset(each.input_nodes)
        seen.add(each)


def test_the_smallest_graph_is_one_node() -> None:
    graph = Graph()
    graph.output(())
    assert [each.op for each in graph.nodes] == [Op.OUTPUT]


def test_the_example_of_a_sum() -> None:
    found = tsc.export(function("return x + y", "x, y"), (tsc.ones(2), tsc.ones(2)))
    assert str(found.graph).splitlines() == [
        "graph():",
        "    %x : [num_users=1] = placeholder[target=x]",
        "    %y : [num_users=1] = placeholder[target=y]",
        "    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor]"
        "(args = (%x, %y), kwargs = {})",
        "    return (add,)",
    ]


EXAMPLE = """
graph():
    %arg0_1 : [#users=1] = placeholder[target=arg0_1]
    %arg1_1 : [#users=1] = placeholder[target=arg1_1]
    %add : [#users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%arg0_1, %arg1_1), kwargs = {})
    return [add]
"""


def test_the_example_is_read_in_the_form_of_the_document() -> None:
    graph = parse_fx_graph(EXAMPLE)
    assert [each.name for each in graph.placeholders] == ["arg0_1", "arg1_1"]
    assert graph.output_node.args == ([graph.find_nodes(Op.CALL_FUNCTION)[0]],)


# -- Node -------------------------------------------------------------------------------------------


def test_a_node_has_the_schema(program: Any) -> None:
    found = node(program, "add")
    assert (found.name, found.op_name) == ("add", "call_function")
    assert isinstance(found.target, Target)
    assert found.args == (node(program, "getitem"), 1)
    assert found.kwargs == {}
    assert isinstance(found.meta, dict)


def test_the_target_is_an_operator_by_its_full_name(program: Any) -> None:
    target = node(program, "add").target
    assert str(target) == "torch.ops.aten.add.Tensor"
    assert (target.namespace, target.name, target.overload) == ("aten", "aten::add", "Tensor")


def test_nodes_among_arguments_have_a_percent_sign() -> None:
    line = str(tsc.export(function("return torch.add(x, x, alpha=2)"), (tsc.ones(2),)).graph)
    assert "(args = (%x, %x), kwargs = {alpha: 2})" in line


def test_calls_of_methods_are_refused() -> None:
    with pytest.raises(GraphError, match="call_method"):
        parse_fx_graph(
            "graph():\n    %x : [num_users=1] = placeholder[target=x]\n"
            "    %y : [num_users=1] = call_method[target=relu](args = (%x,), kwargs = {})\n    return (y,)"
        )


def test_the_text_is_read_back(program: Any) -> None:
    assert str(parse_fx_graph(str(program.graph))) == str(program.graph)


# -- call_function ----------------------------------------------------------------------------------


def test_operators_are_functional_in_the_dialects() -> None:
    found = tsc.export(function("y = x.clone()\ny[0] = 1.0\nreturn y"), (tsc.ones(2),))
    with pytest.raises(tsc.VerificationError, match="writes to its arguments"):
        tsc.verify_exported(found, "aten")
    tsc.verify_exported(found.run_decompositions(), "aten")


def test_edge_operators_share_no_memory() -> None:
    found = tsc.export(function("return x.view(-1)"), (tsc.ones(2, 2),)).run_decompositions()
    with pytest.raises(tsc.VerificationError, match="view looks into its argument"):
        tsc.verify_exported(found, "edge")
    tsc.verify_exported(tsc.to_edge(found), "edge")


def test_constants_are_in_the_graph() -> None:
    found = tsc.export(function("return x * n + 2.5", "x: Tensor, n: int"), (tsc.ones(2), 3))
    constants = [arg for each in found.graph.nodes for arg in leaves(each.args)]
    assert 3 in constants
    assert 2.5 in constants


def test_what_is_no_operator_is_refused() -> None:
    graph = Graph()
    x = graph.placeholder("x")
    graph.call_function(Target("numpy.sin"), (x,))
    graph.output((x,))
    found = tsc.export(function("return x"), (tsc.ones(2),))
    found.graph_module.graph = graph
    with pytest.raises(tsc.VerificationError, match=r"numpy.sin is no operator"):
        tsc.verify_exported(found)


def test_calls_have_these_metadata_and_no_other(program: Any) -> None:
    fields = {"stack_trace", "val", "nn_module_stack", "source_fn_stack"}
    for each in program.graph.find_nodes(Op.CALL_FUNCTION):
        assert set(each.meta) == fields, each.name


def test_stack_traces_are_those_of_the_source(program: Any) -> None:
    assert node(program, "add").meta["stack_trace"] == (
        '  File "my_module.py", line 23, in forward\n'
        "    return x + dummy_helper(y)\n"
        '  File "my_module.py", line 5, in dummy_helper\n'
        "    return y + 1\n"
    )


def test_the_module_stack_leads_from_the_whole_to_the_part(program: Any) -> None:
    linear = next(
        each
        for each in program.graph_module.modules["true_graph_0"].graph.nodes
        if each.name == "linear"
    )
    assert list(linear.meta["nn_module_stack"].values()) == [
        ("", "MyModule"),
        ("block", "Block"),
        ("block.linear", "torch.nn.modules.linear.Linear"),
    ]


def test_source_functions_tell_the_higher_order_operators_around(program: Any) -> None:
    graphs = program.graph_module.modules
    linear = graphs["true_graph_0"].graph.find_nodes(Op.CALL_FUNCTION)[0]
    assert linear.meta["source_fn_stack"] == [
        ("cond", "torch.ops.higher_order.cond"),
        ("linear", "torch.nn.modules.linear.Linear"),
    ]
    relu = graphs["false_graph_0"].graph.find_nodes(Op.CALL_FUNCTION)[0]
    assert relu.meta["source_fn_stack"][1] == ("relu", "torch.nn.functional.relu")
    assert node(program, "add").meta["source_fn_stack"] == [("add", "torch.ops.aten.add.Tensor")]
    assert node(program, "getitem").meta["source_fn_stack"][0][0] == "cond"


# -- placeholder, output, get_attr ------------------------------------------------------------------


def test_placeholders_are_inputs_with_a_default_at_most(program: Any) -> None:
    x = node(program, "x")
    assert x.target == "x"
    assert x.args == ()
    assert x.meta["val"] == FakeTensor((2, 3), TorchConstant("float32"), (3, 1))
    graph = Graph()
    assert graph.placeholder("n", 3).args == (3,)


def test_the_output_returns_what_it_is_given(program: Any) -> None:
    assert program.graph.output_node.args == ((node(program, "add_1"),),)


def test_the_output_has_the_metadata_of_calls(program: Any) -> None:
    output, last = program.graph.output_node, node(program, "add_1")
    assert set(output.meta) == {"stack_trace", "val", "nn_module_stack", "source_fn_stack"}
    assert output.meta["val"] == (last.meta["val"],)
    assert output.meta["stack_trace"] == last.meta["stack_trace"]


CONDITION = """
import torch
class TrueModule(torch.nn.Module):
    def forward(self, x):
        return x.sin()
class FalseModule(torch.nn.Module):
    def forward(self, x):
        return x.cos()
class Module(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.true_module = TrueModule()
        self.false_module = FalseModule()
    def forward(self, x):
        if bool(x[0] == 1):
            return self.true_module(x)
        return self.false_module(x)
"""


def test_the_example_of_a_condition_reads_graphs_by_get_attr() -> None:
    found = tsc.export(tsc.CompilationUnit(CONDITION).Module(), (tsc.ones(3),))
    first, second = found.graph.find_nodes(Op.GET_ATTR)
    assert "%true_graph_0 : [num_users=1] = get_attr[target=true_graph_0]" in str(found.graph)
    modules = found.graph_module.modules
    assert modules[str(first.target)].graph.find_nodes(Op.CALL_FUNCTION)[0].name == "sin"
    assert modules[str(second.target)].graph.find_nodes(Op.CALL_FUNCTION)[0].name == "cos"


# -- Types ------------------------------------------------------------------------------------------


def test_a_fake_tensor_has_size_dtype_and_order_of_dimensions() -> None:
    known = FakeTensor((1, 2, 3, 4), TorchConstant("float32"), (24, 1, 8, 2))
    assert known.size == (1, 2, 3, 4)
    assert known.dtype == TorchConstant("float32")
    assert known.dim_order == (0, 2, 3, 1)
    assert FakeTensor((2, 3), TorchConstant("int64")).dim_order == (0, 1)


def test_the_example_of_adding_one() -> None:
    given = tsc.tensor([1, 2], dtype=tsc.int32)
    found = tsc.export(function("return torch.ops.aten.add(x, 1)"), (given,))
    assert str(found.graph).splitlines()[2:] == [
        "    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor]"
        "(args = (%x, 1), kwargs = {})",
        "    return (add,)",
    ]
    known = node(found, "add").meta["val"]
    assert (known.dtype.name, known.size, str(known.device)) == ("int32", (2,), "cpu")


def test_a_size_that_may_change_is_a_symbol() -> None:
    pytest.importorskip("sympy")
    found = tsc.export(
        function("return x + x.size(0)"), (tsc.ones(4),), dynamic_shapes={"x": {0: tsc.Dim.AUTO}}
    )
    (size,) = node(found, "x").meta["val"].size
    assert isinstance(size, SymbolicExpression)
    (asked,) = found.graph.find_nodes(Op.CALL_FUNCTION, Target("torch.ops.aten.sym_size.int"))
    assert asked.meta["val"] == size


def test_several_results_have_several_descriptions() -> None:
    f = function("return torch.nn.functional.max_pool2d_with_indices(x, 2)")
    found = tsc.export(f, (tsc.ones(1, 1, 4, 4),))
    (pooled, *parts) = found.graph.find_nodes(Op.CALL_FUNCTION)
    values, places = pooled.meta["val"]
    assert (values.dtype.name, places.dtype.name) == ("float32", "int64")
    assert values.size == places.size == (1, 1, 2, 2)
    assert [each.target for each in parts] == [GETITEM, GETITEM]


def test_checks_have_no_description() -> None:
    found = tsc.export(function("assert bool(x.sum() > 0)\nreturn x"), (tsc.ones(2),))
    check = found.graph.find_nodes(Op.CALL_FUNCTION)[-1]
    assert "assert" in check.name
    assert check.meta["val"] is None


# -- Pytrees ----------------------------------------------------------------------------------------

LEAVES = [
    tsc.tensor([1.0]),
    3,
    2.5,
    True,
    "text",
    TorchConstant("float32"),
    TorchConstant("strided"),
    TorchConstant("channels_last"),
    Device("cpu"),
    None,
]


@pytest.mark.parametrize("leaf", LEAVES, ids=[type(each).__name__ for each in LEAVES])
def test_leaves_are_leaves(leaf: Any) -> None:
    found, spec = tree_flatten(leaf)
    assert found == [leaf]
    assert spec.unflatten(found) is leaf


@pytest.mark.parametrize("tree", [(1, 2), [1, 2], {"a": 1, 2: 3}, ([1], {"a": (2, [3])})])
def test_containers_hold_others(tree: Any) -> None:
    found, spec = tree_flatten(tree)
    assert all(isinstance(each, int) for each in found)
    assert spec.unflatten(found) == tree


# -- Memory -----------------------------------------------------------------------------------------


def test_memory_formats_are_orders_of_dimensions() -> None:
    images = tsc.from_numpy(np.zeros((1, 2, 3, 4), np.float32))
    kept = tsc.export(function("return x.contiguous()"), (images,))
    assert node(kept, "x").meta["val"].dim_order == (0, 1, 2, 3)
    f = function("return x.contiguous(memory_format=torch.channels_last)")
    last = tsc.to_edge(tsc.export(f, (images,)))
    (copied,) = last.graph.find_nodes(Op.CALL_FUNCTION)
    assert copied.kwargs["dim_order"] == [0, 2, 3, 1]
    assert copied.meta["val"].dim_order == (0, 2, 3, 1)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2), (3, 2, 1, 0)])
def test_any_permutation_is_an_order_of_dimensions(order: tuple[int, ...]) -> None:
    laid_out = np.zeros([(2, 3, 4, 5)[each] for each in order], np.float32)
    images = tsc.from_numpy(laid_out.transpose(np.argsort(order)))
    edge = tsc.to_edge(tsc.export(function("return x.clone()"), (images,)))
    (copied,) = edge.graph.find_nodes(Op.CALL_FUNCTION)
    assert copied.kwargs["dim_order"] == list(order)
    assert copied.meta["val"].dim_order == order
    assert edge.module()(images).stride() == images.stride()


def test_a_tensor_has_dtype_and_size() -> None:
    t = tsc.ones(2, 3, dtype=tsc.int8)
    assert str(t.dtype) == "torch.int8"
    assert list(t.shape) == [2, 3]
    assert t.dim() == 2
    assert t.numel() == 6
