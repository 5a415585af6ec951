"""Graphs that the tests of exported programs take apart, and the operators in them."""

from __future__ import annotations

from tsc.compiler.schema import OperatorTable

OPERATORS = OperatorTable()
for schema in (
    "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
    "aten::sin(Tensor self) -> Tensor",
    "aten::cos(Tensor self) -> Tensor",
    "aten::eq.Scalar(Tensor self, Scalar other) -> Tensor",
    "aten::sym_size.int(Tensor self, int dim) -> SymInt",
    "aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size) -> (Tensor, Tensor)",
):
    OPERATORS.declare(schema)

ADD = """graph():
    %x : [num_users=1] = placeholder[target=x]
    %y : [num_users=1] = placeholder[target=y]
    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, %y), kwargs = {})
    return (add,)"""

BRANCHES = """graph():
    %x : [num_users=2] = placeholder[target=x]
    %sym_size_int : [num_users=1] = call_function[target=torch.ops.aten.sym_size.int](args = (%x, 0), kwargs = {})
    %eq : [num_users=1] = call_function[target=operator.eq](args = (%sym_size_int, 1), kwargs = {})
    %true_graph_0 : [num_users=1] = get_attr[target=true_graph_0]
    %false_graph_0 : [num_users=1] = get_attr[target=false_graph_0]
    %cond : [num_users=1] = call_function[target=torch.ops.higher_order.cond](args = (%eq, %true_graph_0, %false_graph_0, (%x,)), kwargs = {})
    %getitem : [num_users=1] = call_function[target=operator.getitem](args = (%cond, 0), kwargs = {})
    return (getitem,)"""  # noqa: E501

MANY_ARGUMENTS = """graph():
    %x : [num_users=4] = placeholder[target=x]
    %k : [num_users=0] = placeholder[target=k](default=3)
    %div : [num_users=1] = call_function[target=torch.ops.aten.div.Tensor_mode](args = (%x, 2), kwargs = {rounding_mode: trunc})
    %to : [num_users=1] = call_function[target=torch.ops.aten.to.dtype](args = (%div, torch.float64), kwargs = {})
    %zeros : [num_users=1] = call_function[target=torch.ops.aten.zeros.default](args = ([2, 3],), kwargs = {dtype: torch.int8, layout: torch.strided, device: cpu, pin_memory: False})
    %clamp : [num_users=1] = call_function[target=torch.ops.aten.clamp.default](args = (%x, -inf, 1e+30), kwargs = {})
    %fft_fft : [num_users=1] = call_function[target=torch.ops.aten.fft_fft.default](args = (%x, None, -1, ortho), kwargs = {})
    %index : [num_users=1] = call_function[target=torch.ops.aten.index.Tensor](args = (%x, [None, %to]), kwargs = {})
    %einsum : [num_users=1] = call_function[target=torch.ops.aten.einsum.default](args = ('ij,jk->ik', [%zeros, %index]), kwargs = {})
    return (clamp, fft_fft, einsum, 3, 'hey', None)"""  # noqa: E501
