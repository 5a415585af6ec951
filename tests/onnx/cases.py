"""Functions and modules that are exported to ONNX: PyTorch's result is that of ONNX Runtime."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

A = torch.linspace(-2.3, 2.1, 24).reshape(2, 3, 4)
B = torch.linspace(0.2, 1.9, 24).flip(0).reshape(2, 3, 4)
INTS = torch.arange(-7, 5).reshape(3, 4)
OTHER_INTS = torch.tensor([[3, -2, 5, 1], [2, 7, -3, 4], [1, 1, 2, -5]])
MASK = INTS % 2 == 0
IMAGE = torch.linspace(-1.0, 1.0, 2 * 3 * 9 * 8).sin().reshape(2, 3, 9, 8)


@dataclass
class Case:
    module: nn.Module
    args: tuple[Any, ...]
    others: tuple[tuple[Any, ...], ...] = ()
    dynamic_shapes: Any = None
    decomposed: bool = False


class Calls(nn.Module):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: Tensor) -> Any:
        return self.function(*args)


UNARY = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "erf", "exp", "log"),
    *("log2", "log10", "reciprocal", "sigmoid", "sin", "sinh", "sqrt", "tan", "tanh", "rsqrt"),
    *("abs", "neg", "sign", "ceil", "floor", "round", "trunc", "isnan", "isinf", "logical_not"),
)
BINARY = ["add", "sub", "mul", "div", "eq", "ne", "lt", "le", "gt", "ge", "maximum", "minimum"]
OF_INTS = ["bitwise_and", "bitwise_or", "bitwise_xor", "logical_and", "logical_or", "logical_xor"]

FUNCTIONS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    **{name: (getattr(torch, name), (B / 2 if name != "acosh" else B + 1,)) for name in UNARY},
    **{f"{name}_signed": (getattr(torch, name), (A,)) for name in ("abs", "sign", "trunc", "round")},
    **{name: (getattr(torch, name), (A, B)) for name in BINARY},
    **{f"{name}_ints": (getattr(torch, name), (INTS, OTHER_INTS)) for name in (*BINARY, *OF_INTS)},
    **{f"{name}_small": (getattr(torch, name), (INTS.to(torch.int8) * 30, OTHER_INTS.to(torch.uint8)))
       for name in BINARY},
    **{f"{name}_mixed": (getattr(torch, name), (INTS, A[0])) for name in BINARY},
    **{f"{name}_masks": (getattr(torch, name), (MASK, ~MASK.flip(0))) for name in OF_INTS},
    "add_alpha": (lambda x, y: torch.add(x, y, alpha=2), (A, B)),
    "add_number": (lambda x: x + 2.5, (INTS,)),
    "compare_number": (lambda x: x > 0.5, (INTS,)),
    "sign_nan": (torch.sign, (torch.tensor([float("nan"), -1.0, 0.0]),)),
    "sub_wraps": (torch.sub, (torch.tensor([1, 200], dtype=torch.uint8), torch.tensor([3, 100], dtype=torch.uint8))),
    "bitwise_not": (torch.bitwise_not, (INTS,)),
    "bitwise_not_mask": (torch.bitwise_not, (MASK,)),
    "pow_number": (lambda x: x**2.5, (B,)),
    "pow_tensor": (torch.pow, (B, A)),
    "clamp": (lambda x: x.clamp(-0.5, 1.0), (A,)),
    "clamp_low": (lambda x: x.clamp(min=0), (INTS,)),
    "hardtanh": (functional.hardtanh, (A,)),
    "where": (torch.where, (MASK, INTS, A[0])),
    "to_int": (lambda x: x.to(torch.int32), (A,)),
    "to_half": (lambda x: x.to(torch.float16), (A,)),
    "double": (lambda x: x.double() / 3, (A,)),
    "relu": (torch.relu, (A,)),
    "leaky_relu": (functional.leaky_relu, (A,)),
    "elu": (functional.elu, (A,)),
    "silu": (functional.silu, (A,)),
    "gelu": (functional.gelu, (A,)),
    "gelu_tanh": (lambda x: functional.gelu(x, approximate="tanh"), (A,)),
    "softmax": (lambda x: x.softmax(-1), (A,)),
    "softmax_dtype": (lambda x: x.softmax(1, dtype=torch.float64), (A,)),
    "log_softmax": (lambda x: x.log_softmax(0), (A,)),
    "sum": (torch.sum, (A,)),
    "sum_dims": (lambda x: x.sum((0, -1), keepdim=True), (A,)),
    "sum_mask": (torch.sum, (MASK,)),
    "sum_ints": (lambda x: x.sum(1), (INTS,)),
    "mean": (lambda x: x.mean(-1), (A,)),
    "mean_all": (torch.mean, (A,)),
    "prod": (lambda x: x.prod(1), (B,)),
    "amax": (lambda x: x.amax(-1), (A,)),
    "amin": (lambda x: x.amin((0, 2)), (A,)),
    "max": (torch.max, (A,)),
    "min": (torch.min, (INTS,)),
    "any": (torch.any, (MASK,)),
    "any_dim": (lambda x: x.any(0), (INTS,)),
    "all": (torch.all, (MASK,)),
    "all_dim": (lambda x: x.all(1, keepdim=True), (MASK,)),
    "argmax": (torch.argmax, (A,)),
    "argmax_dim": (lambda x: x.argmax(-2), (A,)),
    "argmin_dim": (lambda x: x.argmin(1, keepdim=True), (A,)),
    "argmax_keep": (lambda x: x.argmax(keepdim=True), (A,)),
    "cumsum": (lambda x: x.cumsum(-1), (A,)),
    "cumsum_mask": (lambda x: x.cumsum(0), (MASK,)),
    "mm": (torch.mm, (A[0], B[1].mT.contiguous())),
    "bmm": (torch.bmm, (A, B.mT.contiguous())),
    "matmul": (torch.matmul, (A, B[0].mT.contiguous())),
    "matmul_vector": (torch.matmul, (A, B[0, 0])),
    "addmm": (lambda a, b, c: torch.addmm(a, b, c, alpha=2, beta=0.5),
              (B[0, :, :3], A[0], B[1].mT.contiguous())),
    "view": (lambda x: x.view(4, -1), (A,)),
    "reshape": (lambda x: x.reshape(-1), (A,)),
    "view_empty": (lambda x: x.view(0, 5), (torch.zeros(5, 0),)),
    "permute": (lambda x: x.permute(2, 0, -2), (A,)),
    "transpose": (lambda x: x.transpose(0, -1), (A,)),
    "t": (lambda x: x.t(), (A[0],)),
    "unsqueeze": (lambda x: x.unsqueeze(-2), (A,)),
    "squeeze": (lambda x: x.squeeze(1), (A[:, :1],)),
    "squeeze_none": (lambda x: x.squeeze(0), (A,)),
    "flatten": (lambda x: x.flatten(1), (A,)),
    "flatten_middle": (lambda x: x.flatten(1, 2), (IMAGE,)),
    "expand": (lambda x: x.expand(5, -1, 4), (A[:, :, :1][0],)),
    "repeat": (lambda x: x.repeat(2, 1, 1, 3), (A,)),
    "slice": (lambda x: x[:, 1:, -3:-1], (A,)),
    "slice_step": (lambda x: x[..., ::2], (A,)),
    "select": (lambda x: x[:, -1], (A,)),
    "index_select": (lambda x, i: x.index_select(1, i), (A, torch.tensor([2, 0, 2]))),
    "gather": (lambda x, i: x.gather(1, i), (INTS, torch.tensor([[0, 3], [2, 2], [1, 0]]))),
    "cat": (lambda x, y: torch.cat([x, y], -1), (A, B)),
    "cat_mixed": (lambda x, y: torch.cat([x, y]), (INTS, A[0])),
    "stack": (lambda x, y: torch.stack([x, y], -1), (A, B)),
    "split": (lambda x: x.split([1, 3], 2), (A,)),
    "full_like": (lambda x: torch.full_like(x, 3), (A,)),
    "full": (lambda x: x + torch.full((3, 4), 2.5), (A,)),
    **{f"{name}_{kind}": (getattr(torch, name), args)
       for name in ("remainder", "fmod", "floor_divide")
       for kind, args in {"ints": (INTS, OTHER_INTS), "floats": (A, B - 1)}.items()},
    "div_floor": (lambda x, y: torch.div(x, y, rounding_mode="floor"), (INTS, OTHER_INTS)),
    "div_trunc": (lambda x, y: torch.div(x, y, rounding_mode="trunc"), (A, B)),
    "expm1": (torch.expm1, (torch.tensor([1e-6, -1e-6, 2.0, -100.0, 0.0]),)),
    "log1p": (torch.log1p, (torch.tensor([1e-6, -1e-6, 2.0, -1.0, float("inf")]),)),
    "max_dim": (lambda x: tuple(x.max(1)), (INTS,)),
    "min_dim": (lambda x: tuple(x.min(-1, keepdim=True)), (A,)),
    "sort": (lambda x: tuple(x.sort(-1)), (A.sin(),)),
    "sort_descending": (lambda x: tuple(x.sort(0, descending=True)), (OTHER_INTS,)),
    "topk": (lambda x: tuple(x.topk(2, 1)), (A,)),
    "attention": (functional.scaled_dot_product_attention, (A, B, A - B)),
    "attention_causal": (lambda q, k: functional.scaled_dot_product_attention(q, k, q, is_causal=True), (A, B)),
    "attention_mask": (lambda q, k, m: functional.scaled_dot_product_attention(q, k, q, m), (A, B, A[..., :3])),
    "group_norm": (lambda x: functional.group_norm(x, 3), (IMAGE,)),
    "var": (lambda x: x.var(1), (A,)),
    "std": (lambda x: x.std(correction=0), (A,)),
    "masked_fill": (lambda x, m: x.masked_fill(m, 2), (INTS, MASK)),
    "where_number": (lambda m, x: torch.where(m, x, 0.5), (MASK, A[0])),
    "index": (lambda x, i: x[:, i], (A, torch.tensor([[0, -1], [2, 1]]))),
    "nonzero": (lambda x: x.nonzero(), (MASK,)),
    "scatter": (lambda x, i, y: x.scatter(1, i, y), (A[0], torch.tensor([[0, 3], [2, 1]]), B[0])),
    "scatter_number": (lambda x, i: x.scatter(0, i, 1.5), (A[0], torch.tensor([[0, 2], [2, 1]]))),
    "scatter_add": (lambda x, i, y: x.scatter_add(0, i, y), (A[0], torch.tensor([[0, 0], [0, 1]]), B[0])),
    "unbind": (lambda x: x.unbind(1), (A,)),
    "split_equal": (lambda x: x.split(3, -1), (A,)),
    "chunk": (lambda x: x.chunk(2, 1), (A,)),
    "pad": (lambda x: torch.constant_pad_nd(x, (1, 2, 0, -1), 0.5), (A,)),
    "flip": (lambda x: x.flip(0, -1), (A,)),
    "tril": (lambda x: x.tril(-1), (A,)),
    "triu": (lambda x: x.triu(1), (A,)),
    "hardsigmoid": (functional.hardsigmoid, (A * 3,)),
    "hardswish": (functional.hardswish, (A * 3,)),
    "clamp_min": (lambda x: x.clamp_min(0.5), (A,)),
    "zeros": (lambda x: x + torch.zeros(3, 4), (INTS,)),
    "ones_like": (torch.ones_like, (A,)),
    "arange": (lambda x: x * torch.arange(1, 9, 2), (A,)),
    "arange_floats": (lambda x: x * torch.arange(0.5, 4.5), (A,)),
    "conv1d": (functional.conv1d, (A, torch.linspace(-1, 1, 24).reshape(4, 3, 2))),
    "conv_alone": (lambda x, w: functional.conv2d(x, w, padding=1), (IMAGE[0], IMAGE[:2, :, :3, :3])),
    "layer_norm": (lambda x: functional.layer_norm(x, (3, 4)), (A,)),
    "adaptive": (lambda x: functional.adaptive_avg_pool2d(x, 1), (IMAGE,)),
}  # fmt: skip


class Perceptron(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        first, last = nn.Linear(4, 8), nn.Linear(8, 3, bias=False)
        self.layers = nn.Sequential(first, nn.GELU(), nn.LayerNorm(8), last)

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x)


class Residual(nn.Module):
    """A block of a residual network, with what follows it."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 6, 3, stride=2, padding=1)
        self.norm = nn.BatchNorm2d(6)
        self.second = nn.Conv2d(6, 6, 3, padding=1, groups=6, bias=False)
        self.head = nn.Linear(6, 5)
        self.norm.running_mean = torch.linspace(-0.2, 0.3, 6)

    def forward(self, x: Tensor) -> Tensor:
        y = torch.relu(self.norm(self.first(x)))
        y = functional.max_pool2d(y + self.second(y), 2)
        return self.head(functional.adaptive_avg_pool2d(y, 1).flatten(1))


class Encoder(nn.Module):
    """Attention by hand, over any number of steps."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(11, 8)
        self.projections = nn.Linear(8, 24)
        self.norm = nn.LayerNorm(8)

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.embedding(tokens)
        q, k, v = self.projections(x).split([8, 8, 8], -1)
        heads = [e.reshape(e.shape[0], e.shape[1], 2, 4).transpose(1, 2) for e in (q, k, v)]
        weights = (heads[0] @ heads[1].transpose(-1, -2) / 2).softmax(-1)
        mixed = (weights @ heads[2]).transpose(1, 2).reshape(x.shape[0], x.shape[1], 8)
        return self.norm(x + mixed)


class Branches(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x - 1, (x,))


class Greedy(nn.Module):
    """Steps until the largest score is large enough."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.eye(4) * 1.5)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        def goes_on(step: Tensor, x: Tensor) -> Tensor:
            return (x.amax() < 50) & (step < 20)

        def following(step: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
            return step + 1, x @ self.weight

        return torch._higher_order_ops.while_loop(
            goes_on, following, (torch.zeros((), dtype=torch.int64), x)
        )


class Counter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(2))

    def forward(self, x: Tensor) -> Tensor:
        self.count.add_(x)
        return self.count * 2


BATCH = torch.export.Dim("batch", min=1, max=64)
STEPS = torch.export.Dim("steps", min=2, max=32)
MODULES = {
    "Perceptron": Case(Perceptron(), (A[0],), ((A[0, :1],), (A.reshape(6, 4),)), ({0: BATCH},)),
    "Residual": Case(Residual(), (IMAGE,), ((IMAGE.repeat(3, 1, 1, 1),),), ({0: BATCH},)),
    "Encoder": Case(Encoder(), (torch.arange(10).reshape(2, 5),), ((torch.arange(9).reshape(3, 3),),),
                    ({0: BATCH, 1: STEPS},)),
    "ResidualDecomposed": Case(Residual(), (IMAGE,), (), decomposed=True),
    "EncoderDecomposed": Case(Encoder(), (torch.arange(10).reshape(2, 5),), (), decomposed=True),
    "Branches": Case(Branches(), (A,), ((B,), (-B,))),
    "Greedy": Case(Greedy(), (B[0],), ((A[0],), (B[0] * 99,))),
    "Counter": Case(Counter(), (A[0, 0, :2],), decomposed=True),
}  # fmt: skip
CASES = {
    **{name: Case(Calls(function), args) for name, (function, args) in FUNCTIONS.items()},
    **MODULES,
}
