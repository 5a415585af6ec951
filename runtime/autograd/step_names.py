"""The names of steps as PyTorch 2.13 shows them: ``AddBackward1`` is the step of adding a number.

An operator that has derivatives of its own is named by itself, and by the number of its overload among those that
have (measured). One that is made of others has the name of the last of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tsc.compiler.schema import Operator

if TYPE_CHECKING:
    from tsc.runtime.autograd.nodes import Node

_FIRST: Final = frozenset(
    f"aten::{name}"
    for name in (
        *("add.Scalar", "clamp", "clamp_max.Tensor", "clamp_min.Tensor", "copysign.Scalar"),
        *(
            "div.Scalar",
            "fmod.Tensor",
            "index_fill.int_Tensor",
            "lerp.Tensor",
            "masked_fill.Tensor",
        ),
        *(
            "max",
            "mean.dim",
            "median.dim",
            "min",
            "mul.Scalar",
            "nanmedian.dim",
            "norm.ScalarOpt_dim",
        ),
        *("_native_batch_norm_legit.no_stats", "normal.Tensor_float", "pow.Tensor_Tensor"),
        *("prod.dim_int", "remainder.Tensor", "round.decimals", "rsub.Scalar", "scatter.value"),
        *("sort.stable", "special_xlog1py.self_scalar", "special_zeta.self_scalar", "squeeze.dim"),
        *("sub.Scalar", "sum.dim_IntList", "xlogy.Scalar_Self"),
    )
)
_NUMBERS: Final = dict.fromkeys(_FIRST, 1) | {
    "aten::div.Scalar_mode": 3,
    "aten::div.Tensor_mode": 2,
    "aten::norm.ScalarOpt_dim_dtype": 3,
    "aten::norm.ScalarOpt_dtype": 2,
    "aten::normal.Tensor_Tensor": 3,
    "aten::normal.float_Tensor": 2,
    "aten::pow.Scalar": 2,
    "aten::special_xlog1py.other_scalar": 2,
    "aten::special_zeta.other_scalar": 2,
    "aten::squeeze.dims": 2,
    "aten::xlogy.Scalar_Other": 2,
}
"""Of overloads that are not the first with derivatives."""

_LAST: Final = {
    "CatBackward0": ("column_stack", "concat", "concatenate", "dstack", "hstack", "vstack"),
    "CloneBackward0": ("contiguous",),
    "DiagEmbedBackward0": ("diagflat",),
    "DiagonalBackward0": ("linalg_diagonal",),
    "EluBackward0": ("selu",),
    "ExpandBackward0": ("broadcast_tensors", "broadcast_to", "expand_as", "meshgrid"),
    "FftC2CBackward0": ("fft_ifft",),
    "FftC2RBackward0": ("fft_irfft",),
    "FlipBackward0": ("fliplr", "flipud"),
    "HardtanhBackward0": ("relu6",),
    "LinalgCholeskyExBackward0": ("linalg_cholesky",),
    "LinalgCrossBackward0": ("cross",),
    "LinalgInvExBackward0": ("linalg_inv", "inverse"),
    "LinalgLuFactorExBackward0": ("linalg_lu_factor", "_lu_with_info"),
    "LinalgPinvBackward0": ("pinverse",),
    "LinalgQrBackward0": ("qr",),
    "LinalgSvdBackward0": ("svd",),
    "MulBackward0": ("ger", "native_dropout", "outer"),
    "NativeBatchNormBackward0": ("batch_norm",),
    "NativeGroupNormBackward0": ("group_norm",),
    "NllLossBackward0": ("nll_loss_nd",),
    "PermuteBackward0": ("movedim", "moveaxis", "numpy_T"),
    "PreluKernelBackward0": ("prelu",),
    "RreluWithNoiseBackward0": ("rrelu",),
    "SliceBackward0": ("dsplit", "hsplit", "narrow", "tensor_split", "vsplit"),
    "SplitBackward0": ("chunk",),
    "SqueezeBackward1": ("adaptive_avg_pool1d", "adaptive_max_pool1d", "avg_pool1d"),
    "ToCopyBackward0": ("to",),
    "TransposeBackward0": ("mH", "mT", "matrix_H", "swapaxes", "swapdims"),
    "UnsafeSplitBackward0": ("unsafe_chunk",),
    "ViewBackward0": ("flatten", "ravel", "reshape", "reshape_as", "unflatten", "view_as"),
}
_COMPOSED: Final = {f"aten::{name}": shown for shown, names in _LAST.items() for name in names} | {
    "aten::float_power.Scalar": "PowBackward2",
    "aten::float_power.Tensor_Scalar": "PowBackward0",
    "aten::float_power.Tensor_Tensor": "PowBackward1",
    "aten::max_pool1d_with_indices": "SqueezeBackward1",
    "aten::split.sizes": "SplitWithSizesBackward0",
    "aten::square": "PowBackward0",
    "aten::special_ndtr": "MulBackward1",
}
"""By operator, or by overload where these differ."""


def step_name(operator: Operator, node: Node) -> str:
    """What `grad_fn` shows of a step; that of a product goes by the number of its dimensions."""
    name = operator.qualified_name
    base = name.partition(".")[0]
    if base in ("aten::linear", "aten::matmul"):
        return _name_of_product(node, has_bias=base == "aten::linear" and _goes_to(node, 2))
    if base == "aten::adaptive_avg_pool2d" and set(node.outputs[0][0][-2:]) == {1}:
        return "MeanBackward1"
    shown = _COMPOSED.get(name) or _COMPOSED.get(base)
    return shown or f"{_title(base)}Backward{_NUMBERS.get(name, 0)}"


def _title(base: str) -> str:
    """``MaxPool2DWithIndices``: letters behind digits are capitals, too."""
    return "".join(word.title() for word in base.partition("::")[2].strip("_").split("_"))


def _name_of_product(node: Node, *, has_bias: bool) -> str:
    dimensions = len(node.outputs[0][0])
    if has_bias:
        return "AddmmBackward0" if dimensions == 2 else "ViewBackward0"
    if dimensions == 1:
        return "SqueezeBackward4" if _is_vector(node, 0) else "MvBackward0"
    return {0: "DotBackward0", 2: "MmBackward0"}.get(dimensions, "UnsafeViewBackward0")


def _goes_to(node: Node, argument: int) -> bool:
    return any(edge.argument == argument for edge in node.edges)


def _is_vector(node: Node, argument: int) -> bool:
    return any(edge.argument == argument and len(edge.shape) == 1 for edge in node.edges)
