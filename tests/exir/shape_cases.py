"""Calls of operators with sizes n and m: which arguments they have. What PyTorch gives for several n and m is
recorded beside them, and shape rules have to give the same from one run with symbols."""

# ruff: noqa: E501  a table
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tsc.compiler.exir.arguments import TorchConstant
from tsc.compiler.exir.fake_tensor import FakeTensor

HINTS = (6, 8)
OTHERS = ((4, 10), (9, 5), (12, 16), (2, 3))


def f(*size: Any, dtype: str = "float32") -> FakeTensor:
    return FakeTensor(size, TorchConstant(dtype))


def i(*size: Any) -> FakeTensor:
    return f(*size, dtype="int64")


@dataclass(frozen=True)
class Case:
    """`fits` says for which sizes the call is the same program as for the hints."""

    operator: str
    arguments: Callable[[Any, Any], dict[str, Any]]
    fits: Callable[[int, int], bool] = lambda n, m: True

    def others(self) -> list[tuple[int, int]]:
        return [each for each in OTHERS if self.fits(*each)]


def _even(n: int, m: int) -> bool:
    return n % 2 == 0


CASES: dict[str, Case] = {
    "add": Case("add.Tensor", lambda n, m: {"self": f(n, m), "other": f(m)}),
    "add of rows": Case("add.Tensor", lambda n, m: {"self": f(n, 1), "other": f(1, m)}),
    "where": Case("where.self", lambda n, m: {"condition": f(n, 1, dtype="bool"), "self": f(m), "other": f(n, m)}),
    "relu": Case("relu", lambda n, m: {"self": f(n, m)}),
    "softmax": Case("softmax.int", lambda n, m: {"self": f(n, m), "dim": -1}),
    "sum": Case("sum", lambda n, m: {"self": f(n, m)}),
    "sum of a dimension": Case("sum.dim_IntList", lambda n, m: {"self": f(n, m, 3), "dim": [1], "keepdim": True}),
    "mean": Case("mean.dim", lambda n, m: {"self": f(n, m, 3), "dim": [0, -1]}),
    "max": Case("max.dim", lambda n, m: {"self": f(n, m), "dim": 1}),
    "argmax": Case("argmax", lambda n, m: {"self": f(n, m), "dim": 0}),
    "var": Case("var.correction", lambda n, m: {"self": f(n, m), "dim": [1], "keepdim": True}),
    "batch norm": Case("batch_norm", lambda n, m: {"input": f(n, 3, m), "weight": None, "bias": None, "running_mean": f(3), "running_var": f(3), "training": False, "momentum": 0.1, "eps": 1e-5, "cudnn_enabled": False}),
    "layer norm": Case("layer_norm", lambda n, m: {"input": f(n, 2, m), "normalized_shape": [2, m]}),
    "lstm cell": Case("lstm_cell", lambda n, m: {"input": f(n, 3), "hx": [f(n, m), f(n, m)], "w_ih": f(4 * m, 3), "w_hh": f(4 * m, m), "b_ih": None, "b_hh": None}),
    "gru cell": Case("gru_cell", lambda n, m: {"input": f(n, m), "hx": f(n, 2), "w_ih": f(6, m), "w_hh": f(6, 2), "b_ih": None, "b_hh": None}),
    "lstm": Case("lstm.input", lambda n, m: {"input": f(n, m, 3), "hx": [f(1, n, 2), f(1, n, 2)], "params": [f(8, 3), f(8, 2)], "has_biases": False, "num_layers": 1, "dropout": 0.0, "train": False, "bidirectional": False, "batch_first": True}),
    "stft": Case("stft", lambda n, m: {"self": f(n, 4 * m + n), "n_fft": 8, "hop_length": 3, "win_length": None, "window": None, "normalized": False, "onesided": None, "return_complex": True}, lambda n, m: 4 * m + n >= 8),
    "centered stft": Case("stft.center", lambda n, m: {"self": f(4 * m + n), "n_fft": 6, "hop_length": None, "win_length": None, "window": f(6), "center": True, "pad_mode": "constant", "normalized": False, "onesided": False, "return_complex": True}),
    "istft": Case("istft", lambda n, m: {"self": f(n, 5, m + 3, dtype="complex64"), "n_fft": 8, "hop_length": 2, "win_length": None, "window": f(8), "center": True, "normalized": False, "onesided": None, "length": None}),
    "topk": Case("topk", lambda n, m: {"self": f(n, m), "k": 2}),
    "sort": Case("sort", lambda n, m: {"self": f(n, m)}),
    "cumsum": Case("cumsum", lambda n, m: {"self": f(n, m), "dim": 1}),
    "mm": Case("mm", lambda n, m: {"self": f(n, 3), "mat2": f(3, m)}),
    "matmul": Case("matmul", lambda n, m: {"self": f(5, n, m), "other": f(m, 2)}),
    "matmul of a vector": Case("matmul", lambda n, m: {"self": f(n, m), "other": f(m)}),
    "bmm": Case("bmm", lambda n, m: {"self": f(n, 2, m), "mat2": f(n, m, 3)}),
    "addmm": Case("addmm", lambda n, m: {"self": f(m), "mat1": f(n, 3), "mat2": f(3, m)}),
    "linear": Case("linear", lambda n, m: {"input": f(n, m, 4), "weight": f(5, 4), "bias": f(5)}),
    "attention": Case(
        "scaled_dot_product_attention",
        lambda n, m: {"query": f(n, 2, m, 4), "key": f(n, 2, 7, 4), "value": f(n, 2, 7, 5)},
    ),
    "einsum": Case("einsum", lambda n, m: {"equation": "bi,bj->bij", "tensors": [f(n, m), f(n, 3)]}),
    "einsum with dots": Case("einsum", lambda n, m: {"equation": "...i,ij->...j", "tensors": [f(n, 2, m), f(m, 3)]}),
    "conv1d": Case("conv1d", lambda n, m: {"input": f(n, 3, m), "weight": f(4, 3, 3), "stride": [2], "padding": [1]}),
    "conv2d": Case(
        "conv2d",
        lambda n, m: {"input": f(n, 4, m, 9), "weight": f(6, 2, 3, 2), "padding": [1, 0],
                      "dilation": [1, 2], "groups": 2},
    ),
    "conv_transpose2d": Case(
        "conv_transpose2d.input",
        lambda n, m: {"input": f(n, 4, m, 9), "weight": f(4, 2, 3, 3),
                      "stride": [2, 2], "output_padding": [1, 1]},
    ),
    "max_pool2d": Case("max_pool2d", lambda n, m: {"self": f(n, 3, m, 8), "kernel_size": [2, 2]}),
    "avg_pool1d": Case(
        "avg_pool1d", lambda n, m: {"self": f(n, 3, m), "kernel_size": [3], "stride": [1], "padding": [1]}
    ),
    "pool that rounds up": Case(
        "max_pool1d", lambda n, m: {"self": f(n, 3, m), "kernel_size": [2], "stride": [2], "ceil_mode": True}
    ),
    "adaptive_avg_pool2d": Case("adaptive_avg_pool2d", lambda n, m: {"self": f(n, 3, m, 8), "output_size": [1, 2]}),
    "upsample": Case(
        "upsample_nearest2d.vec",
        lambda n, m: {"input": f(n, 3, m, 4), "output_size": None, "scale_factors": [2.0, 1.5]},
    ),
    "pixel_shuffle": Case("pixel_shuffle", lambda n, m: {"self": f(n, 8, m, 3), "upscale_factor": 2}),
    "reshape": Case("reshape", lambda n, m: {"self": f(n, m, 3), "shape": [n, -1]}),
    "reshape of all": Case("reshape", lambda n, m: {"self": f(n, m), "shape": [-1]}),
    "view in halves": Case("view", lambda n, m: {"self": f(n, m), "size": [2, -1, m]}, _even),
    "flatten": Case("flatten.using_ints", lambda n, m: {"self": f(n, m, 3), "start_dim": 1}),
    "unflatten": Case("unflatten.int", lambda n, m: {"self": f(n, m), "dim": 0, "sizes": [2, -1]}, _even),
    "expand": Case("expand", lambda n, m: {"self": f(n, 1), "size": [3, -1, m]}),
    "permute": Case("permute", lambda n, m: {"self": f(n, m, 3), "dims": [2, 0, 1]}),
    "transpose": Case("transpose.int", lambda n, m: {"self": f(n, m, 3), "dim0": 0, "dim1": -1}),
    "t": Case("t", lambda n, m: {"self": f(n, m)}),
    "movedim": Case("movedim.int", lambda n, m: {"self": f(n, m, 3), "source": 0, "destination": 2}),
    "unsqueeze": Case("unsqueeze", lambda n, m: {"self": f(n, m), "dim": -1}),
    "squeeze": Case("squeeze.dim", lambda n, m: {"self": f(n, 1, m), "dim": 1}),
    "select": Case("select.int", lambda n, m: {"self": f(n, m), "dim": 1, "index": -2}),
    "slice": Case("slice.Tensor", lambda n, m: {"self": f(n, m), "dim": 0, "start": 1}),
    "slice from behind": Case("slice.Tensor", lambda n, m: {"self": f(n, m), "dim": 1, "end": -1}),
    "slice with steps": Case("slice.Tensor", lambda n, m: {"self": f(n, m), "dim": 1, "step": 2}),
    "narrow": Case("narrow", lambda n, m: {"self": f(n, m), "dim": 1, "start": 1, "length": 2}),
    "split": Case("split.Tensor", lambda n, m: {"self": f(n, m), "split_size": 3, "dim": 1}, lambda n, m: 7 <= m <= 9),
    "split by sizes": Case("split_with_sizes", lambda n, m: {"self": f(n, m), "split_sizes": [1, n - 1]}),
    "chunk": Case("chunk", lambda n, m: {"self": f(n, m), "chunks": 2}),
    "unbind": Case("unbind.int", lambda n, m: {"self": f(n, 2, m), "dim": 1}),
    "cat": Case("cat", lambda n, m: {"tensors": [f(n, m), f(3, m)]}),
    "stack": Case("stack", lambda n, m: {"tensors": [f(n, m), f(n, m)], "dim": 1}),
    "repeat": Case("repeat", lambda n, m: {"self": f(n, m), "repeats": [2, 3, 1]}),
    "pad": Case("constant_pad_nd", lambda n, m: {"self": f(n, m), "pad": [1, 2, 0, 3]}),
    "roll": Case("roll", lambda n, m: {"self": f(n, m), "shifts": [1], "dims": [0]}),
    "unfold": Case("unfold", lambda n, m: {"self": f(n, m), "dimension": 0, "size": 2, "step": 1}),
    "zeros": Case("zeros", lambda n, m: {"size": [n, m + 1]}),
    "arange": Case("arange.start_step", lambda n, m: {"start": 1, "end": n * 2, "step": 3}),
    "new_zeros": Case("new_zeros", lambda n, m: {"self": f(2), "size": [n, 3]}),
    "zeros_like": Case("zeros_like", lambda n, m: {"self": f(n, m)}),
    "gather": Case("gather", lambda n, m: {"self": f(n, m), "dim": 1, "index": i(n, 2)}),
    "index_select": Case("index_select", lambda n, m: {"self": f(n, m), "dim": 1, "index": i(4)}),
    "embedding": Case("embedding", lambda n, m: {"weight": f(5, 3), "indices": i(n, m)}),
    "index": Case("index.Tensor", lambda n, m: {"self": f(3, n, m), "indices": [None, i(n)]}),
    "layer_norm": Case("layer_norm", lambda n, m: {"input": f(n, m, 4), "normalized_shape": [4]}),
    "cross_entropy": Case("cross_entropy_loss", lambda n, m: {"self": f(n, m), "target": i(n)}),
    "mse_loss": Case("mse_loss", lambda n, m: {"self": f(n, m), "target": f(n, m), "reduction": 0}),
    "glu": Case("glu", lambda n, m: {"self": f(n, 4), "dim": -1}),
    "meshgrid": Case("meshgrid.indexing", lambda n, m: {"tensors": [f(n), f(m)], "indexing": "ij"}),
    "tril": Case("tril", lambda n, m: {"self": f(n, m)}),
    "diagonal": Case("diagonal", lambda n, m: {"self": f(n, n)}),
}  # fmt: skip
