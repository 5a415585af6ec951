"""What each operator of ATen is in ONNX, by family. Importing a family puts its operators in the table."""

from importlib import import_module
from typing import Final

from tsc.runtime.onnx.calls import COMPLEX, CONVERSIONS

FAMILIES: Final = (
    "activations",
    "adaptive_pooling",
    "attention",
    "complex_numbers",
    "composites",
    "creation",
    "cumulative",
    "data_sizes",
    "distances",
    "division",
    "embedding_bags",
    "fourier_transforms",
    "gamma_functions",
    "gates",
    "indexing",
    "interpolation",
    "matrix_products",
    "normalization",
    "ordering",
    "packed_sequences",
    "padding",
    "parts",
    "pointwise",
    "pooling",
    "random_numbers",
    "recurrent",
    "reductions",
    "scattering",
    "shifts",
    "signal_windows",
    "transformer",
    "variances",
    "views",
    "windows",
)
for _family in FAMILIES:
    import_module(f"{__name__}.{_family}")

__all__ = ["COMPLEX", "CONVERSIONS", "FAMILIES"]
