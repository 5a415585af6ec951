# ruff: noqa: E501  a table
"""Expressions over a few tensors, each of which becomes a model: what they compute here, ONNX Runtime computes.

A letter stands for the tensor that `TENSORS` has under it.
"""

# ruff: noqa: E501  a table
from __future__ import annotations

from typing import Any, Final

import tsc


def _waves(*sizes: int) -> Any:
    count = 1
    for each in sizes:
        count *= each
    return (tsc.arange(0, count, dtype=tsc.float32) * 0.37 - 2.0).sin().reshape(list(sizes))


NAN, INF = float("nan"), float("inf")
TENSORS: Final[dict[str, Any]] = {
    "x": _waves(2, 3, 4),
    "y": _waves(2, 3, 4).abs() + 0.25,
    "image": _waves(2, 4, 9, 8),
    "volume": _waves(1, 2, 5, 6, 7),
    "n": tsc.arange(-7, 5).reshape([3, 4]),
    "m": tsc.tensor([[3, -2, 5, 1], [2, 7, -3, 4], [1, 1, 2, -5]]),
    "mask": tsc.arange(-7, 5).reshape([3, 4]) % 2 == 0,
    "i": tsc.tensor([2, 0, 2]),
    "j": tsc.tensor([[0, -1, 3]]),
    "places": tsc.tensor([[0, 2, 1, 1], [1, 0, 2, 2]]),
    "grid": _waves(2, 5, 3, 2) * 1.2,
    "odd": tsc.tensor([[1.0, NAN, -INF, INF, 0.5], [NAN, 3.0, NAN, INF, 2.0]]),
    "rows": _waves(5, 3),
    "weight": _waves(4, 3, 2, 3),
}

EXPRESSIONS: Final[dict[str, tuple[str, ...]]] = {
    "pooling": (
        "F.max_pool1d(x, 2)", "F.max_pool2d(image, 3, 2, 1, ceil_mode=True)", "F.max_pool2d(image[0], 2)",
        "F.max_pool2d(image, [3, 2], [2, 3], [1, 0], dilation=2)", "F.max_pool3d(volume, 2, 3, 1, ceil_mode=True)",
        "F.max_pool2d_with_indices(image, 3, 2, 1)", "F.max_pool2d_with_indices(image, 2, 2, 0, 1, True)",
        "F.avg_pool1d(x, 3, 2, 1)", "F.avg_pool1d(x, 3, 2, 1, True, False)", "F.avg_pool2d(image, 3, 2, 1)",
        "F.avg_pool2d(image, 3, 2, 1, True)", "F.avg_pool2d(image, 3, 2, 1, True, False)",
        "F.avg_pool2d(image, 3, 2, 1, False, False)", "F.avg_pool2d(image, 3, 2, 1, True, True, 5)",
        "F.avg_pool3d(volume, 2, 2, 1, True)", "F.adaptive_avg_pool1d(x, 3)", "F.adaptive_avg_pool2d(image, [4, 3])",
        "F.adaptive_avg_pool2d(image, [3, 4])", "F.adaptive_avg_pool2d(image, 1)", "F.adaptive_avg_pool3d(volume, 2)",
        "F.adaptive_max_pool2d_with_indices(image, [3, 4])", "F.adaptive_max_pool2d_with_indices(image, [4, 5])",
        "F.adaptive_max_pool1d_with_indices(x, 3)", "F.adaptive_max_pool3d_with_indices(volume, [2, 4, 5])",
        "F.adaptive_max_pool2d(image[0], [4, 3])",
    ),
    "indexing": (
        "x[:, i]", "x[:, i, j]", "x[j % 2, :, i]", "image[:, i, j]", "image[:, i, :, j]", "torch.index_put(n, [i], m)", "torch.index_put(x, [j % 2, i, j], x[0, 0, 0])",
        "torch.index_put(n, [mask], torch.tensor(9))", "torch.index_put(n, [i, i], i, True)",
        "torch.index_put(image, [j % 2, torch.zeros(1, dtype=torch.int64), i], image[0, 0, :3])",
        "n.masked_scatter(mask, m)", "n.index_select(0, i)",
    ),
    "scattering": (
        "torch.scatter(n, 0, places, m)", "torch.scatter(n, 0, places, 5)", "torch.scatter_add(n, 0, places, m)",
        "torch.scatter(rows, 1, places[:, :3], 2.0, reduce='multiply')", "torch.scatter(n, 0, places, m, reduce='add')",
        *(f"torch.scatter_reduce({t}, 0, {p}, {s}, '{r}', include_self={b})"
          for r in ("sum", "prod", "amax", "amin") for b in (True, False)
          for t, p, s in (("n", "places", "m"), ("rows", "places[:, :3]", "rows.sin()"))),
        "torch.scatter_reduce(rows, 0, places[:, :3], rows, 'mean')",
        "torch.scatter_reduce(rows, 0, places[:, :3], rows, 'mean', include_self=False)",
        "torch.index_add(n, 0, i, m)", "torch.index_add(x, 1, i, y, alpha=2)", "torch.index_copy(n, 0, i[1:], m[1:])",
        "torch.index_fill(n, 0, i, 4)", "torch.select_scatter(x, y[:, 0], 1, -1)",
        "torch.slice_scatter(x, y[:, :, :2], 2, 0, 4, 2)",
    ),
    "interpolation": (
        "F.interpolate(x, scale_factor=2.0)", "F.interpolate(image, [5, 11])", "F.interpolate(image, [5, 11], mode='nearest-exact')",
        "F.interpolate(volume, scale_factor=1.5)", "F.interpolate(x, 7, mode='linear')",
        "F.interpolate(image, [5, 11], mode='bilinear')", "F.interpolate(image, [1, 1], mode='bilinear')",
        "F.interpolate(image, [5, 11], mode='bilinear', align_corners=True)",
        "F.interpolate(image, scale_factor=[1.7, 0.6], mode='bilinear')", "F.interpolate(image, [13, 5], mode='bicubic')",
        "F.interpolate(image, [13, 5], mode='bicubic', align_corners=True)", "F.interpolate(volume, [3, 9, 4], mode='trilinear')",
        *(f"F.grid_sample(image, grid, '{m}', '{p}', {a})" for m in ("bilinear", "nearest", "bicubic")
          for p in ("zeros", "border", "reflection") for a in (False, True)),
        "F.pixel_shuffle(image, 2)", "F.pixel_unshuffle(image[:, :, :8], 2)", "torch.channel_shuffle(image, 2)",
    ),
    "padding": (
        "F.pad(image, [1, 2])", "F.pad(image, [1, -1, 0, 2], value=1.5)", "F.pad(image, [1, 2, 3, 0], 'reflect')",
        "F.pad(x, [1, 2], 'reflect')", "F.pad(image, [1, 2, 3, 0], 'replicate')", "F.pad(volume, [1, 1, 1, 1, 1, 1], 'reflect')",
        "F.pad(image, [1, 2, 3, 0], 'circular')", "F.pad(n, [1, 1], value=3.0)", "F.pad(mask, [1, 1])",
    ),
    "windows": (
        "x.unfold(-1, 2, 1)", "image.unfold(2, 3, 2)", "F.unfold(image, 3, 1, 1, 2)", "F.unfold(image, [2, 3], 2, 0, 1)",
        "F.fold(F.unfold(image, 3, 1, 1, 2), [9, 8], 3, 1, 1, 2)", "torch.as_strided(x, [2, 2], [3, 2], 1)",
        "x.roll(1, 2)", "x.roll([1, -2], [0, -1])", "x.roll(5)", "x.diagonal()", "x.diagonal(-1, 1, 2)", "x.diagonal(2, -1, 0)",
        "x.flip([0, 2])", "x.tril(1)", "x.triu(-1)", "n.repeat_interleave(2)", "n.repeat_interleave(2, 1)",
        "torch.diag_embed(n)", "x.unflatten(2, [2, 2])",
    ),
    "ordering": (
        "odd.sort()", "odd.sort(descending=True)", "odd.topk(2)", "odd.topk(3, largest=False)", "n.sort(0)", "mask.sort()",
        "odd.argsort()", "n.to(torch.int8).topk(2)", "odd.double().sort(0)",
    ),
    "cumulative": (
        "x.cumsum(1)", "x.cumprod(1)", "n.cumprod(0)", "x.cummax(1)", "x.cummin(-1)", "odd.cummax(1)", "n.cummin(1)",
        "x.sum().cumprod(0)", "n.to(torch.uint8).cumprod(1)",
    ),
    "reductions": (
        "x.var(1)", "x.std([0, 2], correction=0, keepdim=True)", "x.std()", "x.var(unbiased=False)", "x.amax([0, 1])",
        "x.logsumexp(1)", "x.logsumexp([0, 2], keepdim=True)", "odd[:, 2:4].logsumexp(1)", "x.norm()", "x.norm(3.0, [1])",
        "x.norm(float('inf'), [1], True)", "torch.linalg.vector_norm(x, 1, [0, 2])", "torch.linalg.vector_norm(x, 0)",
        "torch.cdist(rows, rows.cos())", "torch.cdist(rows, rows.cos(), 1.0)", "F.pdist(rows)",
        "F.pairwise_distance(rows, rows.cos())", "F.cosine_similarity(rows, rows.cos())",
        "torch.std_mean(x, [1])", "torch.var_mean(x, [0, 2], correction=0)",
    ),
    "elements": (
        "F.prelu(image, torch.tensor([0.1, 0.2, 0.3, 0.4]))", "F.softplus(x * 30)", "F.softplus(x, 2.0, 1.0)", "F.relu6(x * 9)",
        "F.mish(x)", "F.selu(x)", "F.celu(x, 0.7)", "F.softsign(x)", "F.logsigmoid(x)", "F.tanhshrink(x)", "F.threshold(x, 0.1, 3.0)",
        "F.hardshrink(x)", "F.softshrink(x)", "F.glu(x)", "1.5 - x", "torch.rsub(n, m, alpha=3)", "torch.lerp(x, y, 0.7)",
        "torch.lerp(x, y, y)", "torch.addcmul(x, x, y, value=2)", "torch.addcdiv(x, x, y)", "torch.atan2(x, y - 1)",
        "torch.atan2(odd, odd.flip(0))", "x.clamp_max(0.3)", "x.square()", "n**3", "torch.exp2(x)", "odd.isfinite()",
        "n.to(torch.int8) ** 2", "torch.where(mask, n, 2)", "n // m", "n % m", "torch.fmod(n, m)", "torch.rsub(x, 1)",
    ),
    "products": (
        "torch.einsum('bij,bkj->bik', x, y)", "torch.einsum('...i,...i', x, y)", "torch.outer(rows[0], rows[:, 0])",
        "F.bilinear(rows, rows, torch.ones([2, 3, 3]), torch.ones([2]))", "rows.mv(rows[0])", "rows[0].dot(rows[1])",
        "torch.baddbmm(x[:, :, :3], x, y.transpose(1, 2), beta=0.5, alpha=2)", "torch.eye(3, 4)", "torch.tril_indices(3, 4)",
        "F.conv_transpose2d(image, weight, None, [2, 3], 1, 1)", "F.conv_transpose1d(x, x.transpose(0, 1), stride=2)",
        "F.conv_transpose2d(image[0], weight, dilation=2)", "F.conv2d(image[:, :3], weight, padding='same')",
        "F.rms_norm(x, [4])", "F.group_norm(image, 2)", "F.instance_norm(image)", "F.one_hot(i, 4)",
        "torch.bucketize(x, torch.tensor([-0.5, 0.0, 0.5]))", "torch.searchsorted(torch.tensor([-2, 0, 3]), n, right=True)",
        "F.scaled_dot_product_attention(x, y, x, mask[:, :3])", "F.local_response_norm(image, 2)",
    ),
    "sizes of data": (
        "torch.unique(mask)", "torch.unique(n.to(torch.uint8), return_inverse=True, return_counts=True)",
        "torch.unique(n.int())", "torch.where(n > 1)", "torch.argwhere(mask)", "torch.unique_consecutive(m.sort()[0])",
        "torch.unique_consecutive(n // 3, return_inverse=True, return_counts=True)",
        "torch.unique_consecutive(n // 5, return_inverse=True, return_counts=True, dim=1)",
        "torch.unique_consecutive(n[:0])", "torch.repeat_interleave(x, i, 1)", "torch.repeat_interleave(rows, i[:1], 0)",
        "torch.repeat_interleave(i, i)", "torch.repeat_interleave(i)", "torch.bincount(i, minlength=5)",
        "torch.bincount(i, torch.tensor([0.5, 2.0, 1.0]))", "torch.bincount(i[:0])",
    ),
    "shifts": (
        "n << 3", "n >> 2", "(n * 40).to(torch.int8) << 3", "n.to(torch.int8) >> 1", "(n + 99).to(torch.uint8) << 2",
        "n << 70", "n >> 70", "(n << 40) >> 38", "n.to(torch.int32) << 31",
    ),
    "other dtypes": (
        "torch.addmm(n.double()[:, :3], x[0], x[1].t())", "F.softplus(x.double())", "F.logsigmoid(x.double() * 90)",
        "torch.arange(0, 1, 0.25, dtype=torch.int)", "torch.arange(5, 0, -1.5, dtype=torch.uint8)", "F.relu(x.half())",
        "F.interpolate(x, scale_factor=1.3, mode='linear')", "F.interpolate(image[:, :, :2], scale_factor=[1.3, 2.0], mode='bilinear')",
    ),
    "complex numbers": (
        "torch.fft.rfft(x).abs()", "torch.fft.fft(x, 3, 1).real", "torch.view_as_real(torch.fft.ifft(torch.fft.fft(x), 6))",
        "torch.fft.irfft(torch.fft.rfft(rows, dim=0), 5, 0)", "torch.fft.irfft(torch.fft.rfft(x, norm='ortho'), norm='forward')",
        "torch.view_as_real(torch.fft.ifft2(torch.fft.fft2(x, [4, 3])))", "torch.fft.irfftn(torch.fft.rfftn(x, dim=[0, 1]), [2, 3], dim=[0, 1])",
        "torch.view_as_real(torch.fft.rfft2(x, norm='forward'))", "torch.view_as_real(torch.fft.fftn(x.double()))",
        "torch.stft(rows.flatten(), 4, window=torch.hann_window(4), return_complex=True).abs()",
        "torch.view_as_real(torch.stft(x[0], 4, 1, 2, window=torch.ones(2), center=False, normalized=True, onesided=False, return_complex=True))",
        "torch.view_as_real(torch.polar(y, x) * torch.complex(x, y) + 2 - torch.polar(y, x) / (y + 3))",
        "torch.view_as_real(torch.polar(y, x) / torch.complex(x, y) - torch.complex(x, y) * 3j)", "torch.polar(y, x).angle()",
        "torch.view_as_real(torch.view_as_complex(rows[:4].reshape(3, 2, 2)).conj().transpose(0, 1).reshape(-1).unsqueeze(-1)[1:])",
        "torch.view_as_real(torch.stack([torch.polar(y, x), torch.complex(x, x)], -1).permute(1, 0, 3, 2).select(-1, -2))",
        "torch.view_as_real(torch.cat([torch.polar(y, x), torch.complex(x, x)], -1).expand(2, 2, 3, 8).mean([0, -1]))",
        "torch.view_as_real(torch.polar(y, x) @ torch.complex(x, y).transpose(1, 2)).sum(0) + torch.fft.fft(x).numel()",
    ),
    "signals": (
        *(f"torch.{each}_window(9)" for each in ("hann", "hamming", "blackman", "bartlett", "kaiser")),
        "torch.hamming_window(8, False, 0.6, 0.3)", "torch.kaiser_window(5, False, 4.0)", "torch.hamming_window(1)",
        "torch.istft(torch.stft(rows.flatten(), 4, window=torch.hann_window(4), return_complex=True), 4, window=torch.hann_window(4))",
        "torch.istft(torch.stft(rows.flatten(), 5, 2, 4, window=torch.hamming_window(4), return_complex=True, normalized=True), 5, 2, 4, window=torch.hamming_window(4), normalized=True, length=9)",
    ),
    "against aliasing": (
        *(f"F.interpolate(image, size=[5, 12], mode='{m}', antialias=True)" for m in ("bilinear", "bicubic", "lanczos")),
        "F.interpolate(image, scale_factor=0.6, mode='bilinear', antialias=True)",
        "F.interpolate(image.double(), size=[9, 3], mode='bicubic', antialias=True, align_corners=True)",
    ),
    "orders": (
        "odd.nanmedian(1)", "odd.median(1)", "odd.median(0, keepdim=True)[0]", "odd.median()", "odd.nanmedian()", "x.median(1)",
        "n.median(0)", "n.median()", "x[0, 0, 0].median(0)", "x.kthvalue(2)", "n.kthvalue(3, 0, True)", "odd.kthvalue(4)[0]",
        "torch.searchsorted(x.sort(-1)[0], x + 0.1)", "torch.searchsorted(x, x, right=True, sorter=x.argsort(-1))",
        "torch.searchsorted(rows[0].sort()[0], rows)", "torch.remainder(-7, m)", "torch.remainder(2.5, x)",
    ),
    "functions": (
        *(f"torch.{f}({v})" for f in ("lgamma", "digamma") for v in ("x * 3", "odd", "y.double() * 40", "torch.tensor([0.0, -0.0, -2.0, 1e-6])")),
        *(f"F.{f}(x.double() * 3)" for f in ("elu", "leaky_relu", "hardsigmoid", "hardswish")), "F.elu(x.double(), 0.7)",
        "torch.linalg.matrix_norm(x)", "torch.linalg.matrix_norm(x, 'fro', [0, 2], True)",
    ),
    "halves": (
        "torch.zeros(4, dtype=torch.float16).scatter_add(0, i, x[0, 0, :3].half())", "torch.zeros(4, dtype=torch.float16).index_add(0, i, x[0, 0, :3].half())",
        "torch.index_put(x[0, 0].half(), [i], x[0, 1, :3].half(), True)", "x[0, 0].half().scatter_reduce(0, i, x[0, 1].half(), 'amax')",
    ),
    "of nothing": (
        *(f"x[x > 9].{each}()" for each in ("any", "all", "sum", "prod", "mean")), "x[:, :0].any(1)", "x[:, :0].all(1)", "rows[:0].sum(0)", "(n[:0] > 0).all(0)",
    ),
    "diagonals": (
        "torch.diagonal_scatter(rows, y[0, 0, :3])", "torch.diagonal_scatter(rows, y[0, 0, :3], -2)", "torch.diagonal_scatter(n, y[0, 0, :2].long(), 2)",
        "torch.diagonal_scatter(x, y[0, :2].t(), 0, 1, 0)", "torch.diagonal_scatter(x, y[:, :2, 0], 2, 1, 2)",
    ),
    "dropout": (
        *(f"F.{each}(image, {p}, training={t})" for each in ("dropout", "dropout2d") for p, t in ((1.0, True), (0.5, False), (0.0, True))),
        "F.feature_alpha_dropout(image, 0.5, training=False)", "F.dropout(torch.ones(400, 400), 0.25).mean().mul(20).round()",
        "(F.dropout2d(image.abs() + 1, 0.5) == 0).float().std([2, 3]).sum()",
    ),
    "layers": (
        "torch._native_multi_head_attention(rows[:, None], rows[:, None], rows[:, None], 3, 1, torch.ones(9, 3) / 3, torch.ones(9), torch.eye(3), torch.zeros(3))",
        "torch._native_batch_norm_legit_functional(image, None, None, torch.zeros(4), torch.ones(4), True, 0.1, 1e-5)",
        "torch._native_batch_norm_legit_functional(image, torch.ones(4), None, torch.zeros(4), torch.ones(4), False, 0.1, 1e-5)[0]",
        "torch.meshgrid(i, places[0], indexing='xy')", "x[0].expand_as(x)",
    ),
    "bags": (
        *(f"F.embedding_bag(i, rows, torch.tensor([0, 2]), mode='{m}')" for m in ("sum", "mean", "max")),
        *(f"F.embedding_bag(i, rows, torch.tensor([0, 1, 1, 3]), mode='{m}', include_last_offset=True, padding_idx=2)"
          for m in ("sum", "mean", "max")),
        "F.embedding_bag(i, rows, torch.tensor([0, 2]), mode='sum', per_sample_weights=torch.tensor([0.5, 2.0, 3.0]))",
    ),
}  # fmt: skip
CASES: Final = [each for family in EXPRESSIONS.values() for each in family]
