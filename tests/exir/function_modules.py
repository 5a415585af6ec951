"""Functions that PyTorch exports as modules: operators of each family."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional as F

from .cases import CASES, Case, module_of, x

_function_cases: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "dtypes": (
        lambda x: [x.to(d) for d in (
            torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.uint8, torch.int16,
            torch.int32, torch.int64, torch.bool, torch.complex64, torch.complex128,
        )],
        (x(3) * 5,),
    ),
    "dtype_inputs": (
        lambda a, b, c, d: (a + b, c & d, a.dtype == torch.float64),
        (x(2).double(), torch.tensor([1, 2], dtype=torch.int8), torch.tensor([True, False]),
         torch.tensor([True, True])),
    ),
    "halves": (lambda x, y: x * y.to(x.dtype), (x(3).half(), x(3).bfloat16())),
    "complexes": (lambda x: (x * 2j, x.real, x.abs()), (torch.complex(x(3), x(3) + 1),)),
    "creation": (
        lambda x: (torch.zeros(2, 3, dtype=torch.int8), torch.arange(5), torch.full((2,), 1.5),
                   torch.ones_like(x, dtype=torch.float64), torch.eye(2), torch.linspace(0, 1, 4)),
        (x(3),),
    ),
    "indexing": (
        lambda x, i: (x[:, 1:3], x[..., None], x[i], x[:, i], x[0, ::2], x[i, None, i]),
        (x(4, 5), torch.tensor([0, 2])),
    ),
    "writes_slices": (lambda x: _write_slices(x), (x(4, 4),)),
    "masks": (lambda x: (x.masked_fill(x > 0, -1.0), torch.where(x > 0, x, 0.0)), (x(3, 3),)),
    "reductions": (
        lambda x: (x.sum(), x.mean(1), x.amax(0, keepdim=True), x.std(), x.argmax(1), tuple(x.max(1)),
                   x.var(0, correction=0), x.logsumexp(1), x.norm(), torch.all(x > -2)),
        (x(3, 4),),
    ),
    "several_results": (
        lambda x: (tuple(x.sort()), tuple(x.topk(2)), torch.unbind(x), x.split(2, 1), x.chunk(2),
                   tuple(x.aminmax())),
        (x(3, 4),),
    ),
    "unused_results": (lambda x: (x.max(0)[1], x.split([1, 3], 1)[1]), (x(3, 4),)),
    "shapes": (
        lambda x: (x.view(6, 2), x.permute(1, 0), x.transpose(0, 1).contiguous(), x.flatten(),
                   x.unsqueeze(1).expand(-1, 2, -1), x.repeat(2, 1), torch.cat([x, x], 1),
                   torch.stack([x, x]), F.pad(x, (1, 1)), x.roll(1, 0), x.flip(0)),
        (x(3, 4),),
    ),
    "linear_algebra": (
        lambda x: (x @ x, torch.bmm(x[None], x[None]), torch.einsum("ij,kj->ik", x, x),
                   torch.linalg.inv(x + 3 * torch.eye(3)), torch.addmm(x, x, x, alpha=2)),
        (x(3, 3),),
    ),
    "channels_last": (
        lambda x: x.contiguous(memory_format=torch.channels_last) + 1, (x(2, 3, 4, 4),),
    ),
    "losses": (
        lambda x, y: (F.cross_entropy(x, y), F.mse_loss(x, x * 2), F.smooth_l1_loss(x, x * 3)),
        (x(3, 4), torch.tensor([0, 2, 1])),
    ),
    "activations": (
        lambda x: (F.gelu(x), F.gelu(x, approximate="tanh"), F.silu(x), F.elu(x), F.hardswish(x),
                   F.leaky_relu(x, 0.2), F.log_softmax(x, 0), torch.sigmoid(x), x.tanh(),
                   F.softplus(x), F.mish(x), x.clamp(-0.5, float("inf"))),
        (x(5),),
    ),
    "interpolation": (
        lambda x: (F.interpolate(x, scale_factor=2.0, mode="bilinear"),
                   F.interpolate(x, size=(3, 3)), F.avg_pool2d(x, 2), F.pixel_shuffle(x, 2)),
        (x(1, 4, 4, 4),),
    ),
    "fourier": (lambda x: (torch.fft.fft(x), torch.fft.rfft(x, norm="ortho")), (x(8),)),
    "integers": (
        lambda x: (x // 2, x % 3, x << 1, x ^ 5, x.bitwise_not(), torch.div(x, 2, rounding_mode="trunc")),
        (torch.tensor([-3, 0, 7]),),
    ),
    "scatter": (
        lambda x, i: (x.gather(1, i), torch.zeros(3, 4).scatter(1, i, x), x.index_select(1, i[0]),
                      torch.zeros(3, 4).index_add(0, torch.tensor([2, 0, 1]), x)),
        (x(3, 4), torch.tensor([[0, 1, 2, 3], [3, 2, 1, 0], [1, 1, 1, 1]])),
    ),
    "scalars": (lambda x: (x.sum().item(), x.argmax().item()), (x(3),)),
    "no_results": (lambda x: None, (x(2),)),
    "input_returned": (lambda x, y: (x, y, x), (x(2), x(3))),
    "list_argument": (lambda xs: torch.cat(xs).sum(), ([x(2), x(3), x(1)],)),
    "empty": (lambda x: (x.sum(), x + 1, torch.zeros(0, 3)), (torch.zeros(0, 2),)),
    "zero_dimensional": (lambda x: x * 2 + 1, (torch.tensor(3.0),)),
    "long_integers": (lambda x: x + (1 << 40), (torch.tensor([1 << 33]),)),
    "cumulative": (lambda x: (x.cumsum(0), x.cumprod(1), x.diff(), x.tril(), x.triu(1)), (x(3, 3),)),
    "no_gradient": (lambda x: _without_gradient(x), (x(3),)),
    "attention": (lambda q: F.scaled_dot_product_attention(q, q, q, is_causal=True), (x(1, 2, 4, 8),)),
    "norms": (
        lambda x: (F.layer_norm(x, (4,)), F.group_norm(x[:, :, None], 2), F.normalize(x),
                   F.instance_norm(x[None]), F.rms_norm(x, (4,))),
        (x(3, 4),),
    ),
    "truth_values": (
        lambda x: (x & True, x | False, x + True, True * x, torch.where(x, True, False),
                   torch.where(x, x, True), torch.full((2,), True), x.masked_fill(x, False),
                   x.int() + True, x == True),  # noqa: E712
        (torch.tensor([True, False, True]),),
    ),
    "unsigned": (lambda x: x.to(torch.int64) + 1, (torch.tensor([1, 65535], dtype=torch.uint16),)),
}  # fmt: skip


def _write_slices(x):
    y = x.clone()
    y[0] = 1.0
    y[:, 1] += 2
    y[y > 1] = 0.5
    return y


def _without_gradient(x):
    with torch.no_grad():
        y = x * 2
    return y + x


for _name, (_function, _args) in _function_cases.items():
    CASES[_name] = Case(module_of(_function), _args)
