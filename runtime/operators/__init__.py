"""Operator families: each schema string stands right above its kernel.

`load` imports them all; importing a family declares its operators in `registration.table`.
"""

from __future__ import annotations

import functools
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compiler.schema import OperatorTable

FAMILIES = (
    "arithmetic",
    "combined_arithmetic",
    "comparison",
    "pointwise",
    "clamping",
    "pairs",
    "complex_numbers",
    "mantissas",
    "creation",
    "window_functions",
    "strided_creation",
    "shape",
    "joining",
    "indexing",
    "masking",
    "gathering",
    "rearranging",
    "scattering",
    "index_writing",
    "slice_writing",
    "reduction",
    "statistics",
    "quantiles",
    "sorting",
    "searching",
    "selection",
    "unique",
    "histograms",
    "cumulative",
    "finite_differences",
    "segments",
    "tensor_hashes",
    "tensor_conversion",
    "tensor_numbers",
    "tensor_properties",
    "linear_algebra",
    "tensor_contraction",
    "matrix_forms",
    "activation",
    "softmax",
    "storages",
    "random_creation",
    "random_filling",
    "random_sampling",
    "generators",
    "dropout",
    "convolution",
    "slow_convolution",
    "folding",
    "pooling",
    "adaptive_pooling",
    "unpooling",
    "normalization",
    "batch_normalization",
    "loss",
    "embedding",
    "embedding_bags",
    "sequences",
    "padding",
    "shuffling",
    "upsampling",
    "interpolation",
    "attention",
    "nested_tensors",
    "opaque_tensors",
    "transformer",
    "distances",
    "recurrent",
    "matrix_factors",
    "lu_factors",
    "matrix_solvers",
    "norms",
    "matrix_properties",
    "fourier",
    "short_time_fourier",
    "grid_sampling",
    "sequence_loss",
    "matrix_functions",
    "special_functions",
    "special_polynomials",
    "numerical_analysis",
    "backward",
    "aliases",
    "copies",
    "out_pointwise",
    "out_reduction",
    "out_creation",
    "out_indexing",
    "out_linear_algebra",
    "out_matrices",
    "out_neural_network",
    "out_layers",
    "lists",
    "dictionaries",
    "scalar_comparison",
    "scalars",
    "math_functions",
    "conversions",
    "strings",
    "string_formatting",
    "tuples",
    "enums",
    "hashing",
    "devices",
    "control",
)
"""In the order in which overloads of one name are tried: tensors before numbers and containers."""


@functools.cache
def load() -> OperatorTable:
    """The table with every operator of this runtime in it; kernels are imported when first used."""
    from runtime.operators.index import load_indexed, save_index
    from runtime.operators.registration import table

    if load_indexed(table):
        return table
    import_families()
    _order_overloads(table)
    if set(FAMILIES).issuperset(table.families.values()):
        save_index(table)
    return table


def import_families() -> None:
    """Import every family, so that all operators and their kernels are there."""
    for family in FAMILIES:
        import_module(f"runtime.operators.{family}")


def _order_overloads(table: OperatorTable) -> None:
    """Put overloads of one name that several families declare into PyTorch's order."""
    from runtime.operators.overload_order import OVERLOAD_ORDER

    for name, overload_names in OVERLOAD_ORDER.items():
        table.reorder(name, overload_names)
