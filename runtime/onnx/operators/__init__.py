"""What each operator of ATen is in ONNX, by family. Importing a family puts its operators in the table."""

from tsc.runtime.onnx.calls import CONVERSIONS
from tsc.runtime.onnx.operators import (
    activations,
    attention,
    creation,
    division,
    matrix_products,
    normalization,
    ordering,
    parts,
    pointwise,
    reductions,
    views,
)

FAMILIES = (
    activations,
    attention,
    creation,
    division,
    matrix_products,
    normalization,
    ordering,
    parts,
    pointwise,
    reductions,
    views,
)
__all__ = ["CONVERSIONS", "FAMILIES"]
