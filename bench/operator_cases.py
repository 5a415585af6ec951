"""What `bench.operators` measures: an expression for each operator, and its operands at three sizes.

The first letter of an operand says what is in it: ``x`` normal floats, ``p`` floats between 0.1 and 1,
``i`` indices from 0 up to the first size of the first operand, ``m`` random bools, ``n`` random integers.
"""

from __future__ import annotations

from dataclasses import dataclass

Shape = tuple[int, ...]
Sizes = tuple[Shape, Shape, Shape]
"""The shapes of an operand in the small, the medium and the large measurement."""

SIZE_NAMES = ("small", "medium", "large")

VECTOR: Sizes = ((8,), (10_000,), (1_000_000,))
ROWS: Sizes = ((4, 8), (64, 256), (1024, 1024))
ROW: Sizes = ((8,), (256,), (1024,))
COLUMN: Sizes = ((4, 1), (64, 1), (1024, 1))
PICK: Sizes = ((4,), (64,), (1024,))
SQUARE: Sizes = ((4, 4), (64, 64), (384, 384))
BATCH_OF_SQUARES: Sizes = ((2, 4, 4), (8, 64, 64), (16, 128, 128))
IMAGE: Sizes = ((1, 3, 8, 8), (4, 16, 32, 32), (8, 64, 56, 56))
IMAGE_WIDE: Sizes = ((1, 3, 16), (4, 16, 256), (8, 64, 2048))
VOLUME: Sizes = ((1, 2, 4, 4, 4), (2, 8, 12, 12, 12), (4, 16, 24, 24, 24))
CHANNELS: Sizes = ((3,), (16,), (64,))
KERNEL: Sizes = ((4, 3, 3, 3), (32, 16, 3, 3), (64, 64, 3, 3))
DEPTHWISE: Sizes = ((3, 1, 3, 3), (16, 1, 3, 3), (64, 1, 3, 3))
KERNEL_1D: Sizes = ((4, 3, 3), (32, 16, 3), (64, 64, 3))
KERNEL_3D: Sizes = ((4, 2, 3, 3, 3), (16, 8, 3, 3, 3), (32, 16, 3, 3, 3))
TRANSPOSED: Sizes = ((3, 4, 2, 2), (16, 32, 2, 2), (64, 32, 2, 2))
HEADS: Sizes = ((1, 2, 4, 8), (2, 4, 64, 32), (4, 8, 256, 64))
TABLE: Sizes = ((16, 8), (1000, 64), (30_000, 256))
TOKENS: Sizes = ((4,), (16, 32), (32, 512))
SEQUENCE: Sizes = ((3, 2, 8), (16, 8, 64), (32, 16, 256))
LABELS: Sizes = ((4,), (64,), (1024,))


@dataclass(frozen=True, slots=True)
class Case:
    """One operator: its family, the expression, and its operands by name."""

    family: str
    expression: str
    operands: dict[str, Sizes]

    @property
    def source(self) -> str:
        """The TorchScript function that is timed."""
        parameters = ", ".join(f"{name}: Tensor" for name in self.operands)
        return (
            "import torch\nimport torch.nn.functional as F\nfrom torch import Tensor\n\n\n"
            f"def f({parameters}):\n    return {self.expression}\n"
        )


def _cases(family: str, operands: dict[str, Sizes], *expressions: str) -> list[Case]:
    return [Case(family, expression, operands) for expression in expressions]


CASES: list[Case] = [
    *_cases(
        "pointwise",
        {"x": VECTOR, "x2": VECTOR},
        "x + x2",
        "x * 2.0 - 1.0",
        "x / x2",
        "torch.maximum(x, x2)",
        "torch.addcmul(x, x2, x2)",
        "torch.lerp(x, x2, 0.3)",
        "torch.atan2(x, x2)",
        "x.clone().add_(x2)",
    ),
    *_cases(
        "pointwise",
        {"x": VECTOR},
        "x.exp()",
        "x.sin()",
        "x.tanh()",
        "x.sigmoid()",
        "x.abs().neg()",
        "x ** 2",
        "x.clamp(-1.0, 1.0)",
        "x.round()",
        "x.to(torch.float64)",
        "x.to(torch.int64)",
    ),
    *_cases("pointwise", {"p": VECTOR}, "p.log()", "p.sqrt()", "p.rsqrt()", "p ** 1.7"),
    *_cases(
        "pointwise",
        {"n": VECTOR, "n2": VECTOR},
        "n + n2",
        "n // (n2 + 1)",
        "n % (n2 + 1)",
        "n & n2",
    ),
    *_cases(
        "special functions",
        {"p": VECTOR},
        "p.lgamma()",
        "p.digamma()",
        "p.erfinv()",
        "torch.special.i0(p)",
        "torch.special.ndtri(p)",
        "torch.special.entr(p)",
        "torch.special.zeta(p + 1.0, p)",
        "torch.special.gammainc(p, p)",
        "torch.polygamma(1, p)",
    ),
    *_cases(
        "special functions",
        {"x": VECTOR},
        "x.erf()",
        "x.erfc()",
        "torch.special.bessel_j0(x * 5.0)",
        "torch.special.bessel_y1(x * 5.0)",
        "torch.special.modified_bessel_k0(x * 5.0)",
        "torch.special.chebyshev_polynomial_t(x, 5)",
        "torch.special.log_ndtr(x)",
    ),
    *_cases(
        "comparison",
        {"x": VECTOR, "x2": VECTOR},
        "x < x2",
        "torch.isclose(x, x2)",
        "torch.where(x > 0, x, x2)",
        "torch.isnan(x)",
    ),
    *_cases("broadcasting", {"x": ROWS, "x2": ROW, "x3": COLUMN}, "x + x2", "x * x3", "x2 - x3"),
    *_cases(
        "reduction",
        {"x": ROWS},
        "x.sum()",
        "x.sum(0)",
        "x.mean(-1)",
        "x.max()",
        "x.max(1)[0]",
        "x.argmax(-1)",
        "x.var(1)",
        "x.std()",
        "x.norm()",
        "x.prod(1)",
        "x.logsumexp(1)",
        "(x > 0).any(1)",
        "x.median(1)[0]",
        "torch.count_nonzero(x)",
    ),
    *_cases(
        "cumulative", {"x": ROWS}, "x.cumsum(0)", "x.cumsum(1)", "x.cummax(1)[0]", "x.cumprod(1)"
    ),
    *_cases(
        "sorting",
        {"x": ROWS},
        "x.sort(1)[0]",
        "x.argsort(1)",
        "x.topk(4, 1)[0]",
        "x.kthvalue(2, 1)[0]",
    ),
    *_cases(
        "sorting",
        {"n": VECTOR},
        "n.sort()[0]",
        "n.sort(stable=True)[0]",
        "torch.unique(n)",
        "torch.bincount(n)",
        "torch.searchsorted(torch.arange(100), n)",
    ),
    *_cases("sorting", {"p": VECTOR}, "torch.histc(p, 20, 0.0, 1.0)"),
    *_cases(
        "indexing",
        {"x": ROWS, "i": PICK, "m": ROWS},
        "x[i]",
        "x[m]",
        "x.index_select(0, i)",
        "x.masked_fill(m, 0.0)",
        "x.nonzero()",
        "x[:, ::2].contiguous()",
        "torch.index_add(x, 0, i, x)",
        "x.index_put((i,), x[0], True)",
        "x.gather(0, i.unsqueeze(1))",
        "x.scatter_add(0, i.unsqueeze(1), x)",
    ),
    *_cases(
        "shape",
        {"x": ROWS, "x2": ROWS},
        "x.t().contiguous()",
        "x.view(-1)[1:].clone()",
        "torch.cat([x, x2])",
        "torch.stack([x, x2], 1)",
        "x.flip(0)",
        "x.roll(1, 0)",
        "x.repeat(2, 2)",
        "x.chunk(2)[0].expand(2, -1, -1).reshape(-1)",
        "torch.tril(x)",
    ),
    *_cases(
        "creation",
        {"x": ROWS},
        "torch.zeros_like(x)",
        "torch.full_like(x, 3.0)",
        "torch.arange(x.numel())",
        "torch.eye(x.size(0))",
        "torch.linspace(0.0, 1.0, x.numel())",
    ),
    *_cases(
        "random",
        {"x": ROWS},
        "torch.rand_like(x)",
        "torch.randn_like(x)",
        "torch.randint(0, 10, [x.numel()])",
        "torch.randperm(x.numel())",
        "torch.bernoulli(torch.full_like(x, 0.5))",
        "F.dropout(x, 0.5)",
    ),
    *_cases(
        "matrices",
        {"x": SQUARE, "x2": SQUARE},
        "x @ x2",
        "torch.addmm(x, x, x2)",
        "torch.einsum('ij,jk->ik', x, x2)",
        "F.linear(x, x2)",
    ),
    *_cases(
        "matrices",
        {"x": BATCH_OF_SQUARES, "x2": BATCH_OF_SQUARES},
        "x @ x2",
        "torch.baddbmm(x, x, x2)",
    ),
    *_cases(
        "linalg",
        {"x": SQUARE},
        "torch.linalg.inv(x + 10.0 * torch.eye(x.size(0)))",
        "torch.linalg.cholesky(x @ x.t() + 100.0 * torch.eye(x.size(0)))",
        "torch.linalg.qr(x)[0]",
        "torch.linalg.svdvals(x)",
        "torch.linalg.lu_factor(x)[0]",
        "torch.linalg.ldl_factor(x + x.t())[0]",
        "torch.linalg.det(x)",
        "torch.linalg.solve(x, x)",
        "torch.linalg.eigh(x + x.t())[0]",
        "torch.linalg.matrix_exp(x * 0.01)",
        "torch.linalg.solve_triangular(x.tril() + 10.0 * torch.eye(x.size(0)), x, upper=False)",
    ),
    *_cases(
        "fft",
        {"x": ROWS},
        "torch.fft.rfft(x)",
        "torch.fft.irfft(x.to(torch.complex64))",
        "torch.fft.fft(x.to(torch.complex64))",
        "torch.fft.fft2(x)",
    ),
    *_cases(
        "convolution",
        {"x": IMAGE, "x2": KERNEL},
        "F.conv2d(x, x2)",
        "F.conv2d(x, x2, stride=2, padding=1)",
        "F.conv2d(x, x2, padding=2, dilation=2)",
    ),
    *_cases(
        "convolution", {"x": IMAGE, "x2": DEPTHWISE}, "F.conv2d(x, x2, padding=1, groups=x.size(1))"
    ),
    *_cases("convolution", {"x": IMAGE, "x2": TRANSPOSED}, "F.conv_transpose2d(x, x2, stride=2)"),
    *_cases("convolution", {"x": IMAGE_WIDE, "x2": KERNEL_1D}, "F.conv1d(x, x2, padding=1)"),
    *_cases("convolution", {"x": VOLUME, "x2": KERNEL_3D}, "F.conv3d(x, x2, padding=1)"),
    *_cases(
        "pooling",
        {"x": IMAGE},
        "F.max_pool2d(x, 2)",
        "F.max_pool2d(x, 3, 2, 1)",
        "F.avg_pool2d(x, 3, 2, 1)",
        "F.adaptive_avg_pool2d(x, [1, 1])",
        "F.adaptive_avg_pool2d(x, [5, 3])",
        "F.lp_pool2d(x, 2.0, 2)",
    ),
    *_cases(
        "images",
        {"x": IMAGE},
        "F.interpolate(x, scale_factor=2.0)",
        "F.interpolate(x, scale_factor=2.0, mode='bilinear', align_corners=False)",
        "F.pad(x, [1, 1, 1, 1], mode='reflect')",
        "F.pad(x, [1, 1, 1, 1])",
        "F.unfold(x, [3, 3])",
    ),
    *_cases(
        "normalization",
        {"x": IMAGE, "x2": CHANNELS, "p": CHANNELS},
        "F.batch_norm(x, x2, p, p, x2)",
        "F.batch_norm(x, None, None, p, x2, True)",
        "F.group_norm(x, 1, p, x2)",
        "F.instance_norm(x)",
    ),
    *_cases(
        "normalization",
        {"x": ROWS, "x2": ROW},
        "F.layer_norm(x, [x.size(1)], x2, x2)",
        "F.rms_norm(x, [x.size(1)], x2)",
        "F.normalize(x)",
    ),
    *_cases(
        "activation",
        {"x": ROWS},
        "F.relu(x)",
        "F.gelu(x)",
        "F.gelu(x, approximate='tanh')",
        "F.silu(x)",
        "F.elu(x)",
        "F.softplus(x)",
        "F.hardswish(x)",
        "F.mish(x)",
        "F.leaky_relu(x)",
        "F.glu(x)",
        "torch.softmax(x, -1)",
        "torch.softmax(x, 0)",
        "torch.log_softmax(x, -1)",
    ),
    *_cases("embedding", {"x": TABLE, "i": TOKENS}, "F.embedding(i, x)"),
    *_cases(
        "attention",
        {"x": HEADS, "x2": HEADS, "x3": HEADS},
        "F.scaled_dot_product_attention(x, x2, x3)",
        "F.scaled_dot_product_attention(x, x2, x3, is_causal=True)",
    ),
    *_cases(
        "loss",
        {"x": ROWS, "x2": ROWS, "i": LABELS},
        "F.mse_loss(x, x2)",
        "F.smooth_l1_loss(x, x2)",
        "F.binary_cross_entropy_with_logits(x, x2)",
        "F.cosine_similarity(x, x2)",
        "F.kl_div(x, x2)",
    ),
    *_cases(
        "loss",
        {"x": ((8, 8), (256, 256), (1024, 1024)), "i": ((8,), (256,), (1024,))},
        "F.cross_entropy(x, i)",
    ),
    *_cases(
        "recurrent",
        {
            "x": SEQUENCE,
            "x2": ((32, 8), (256, 64), (1024, 256)),
            "x3": ((32,), (256,), (1024,)),
            "x4": ((1, 2, 8), (1, 8, 64), (1, 16, 256)),
        },
        "torch.lstm(x, [x4, x4], [x2, x2, x3, x3], True, 1, 0.0, False, False, False)[0]",
        "torch.gru(x, x4, [x2[: 3 * x.size(2)], x2[: 3 * x.size(2)]], False, 1, 0.0, False, False,"
        " False)[0]",
        "torch.rnn_tanh(x, x4, [x2[: x.size(2)], x2[: x.size(2)]], False, 1, 0.0, False, False,"
        " False)[0]",
    ),
]
