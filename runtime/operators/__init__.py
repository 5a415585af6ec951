"""Operator families: each schema string stands right above its kernel.

`load` imports them all; importing a family declares its operators in `registration.table`.
"""

from __future__ import annotations

import functools
from importlib import import_module

from tsc.compiler.schema import OperatorTable
from tsc.runtime.operators.index import load_indexed, save_index
from tsc.runtime.operators.registration import table

FAMILIES = (
    "pointwise.arithmetic",
    "pointwise.powers",
    "pointwise.combined_arithmetic",
    "pointwise.comparison",
    "pointwise.pointwise",
    "pointwise.clamping",
    "pointwise.pairs",
    "pointwise.complex_numbers",
    "pointwise.mantissas",
    "creation.creation",
    "creation.ranges",
    "signal.window_functions",
    "creation.strided_creation",
    "layout.shape",
    "layout.transposing",
    "layout.joining",
    "selecting.indexing",
    "selecting.masking",
    "selecting.gathering",
    "layout.rearranging",
    "selecting.scattering",
    "selecting.index_writing",
    "selecting.slice_writing",
    "reduction.reduction",
    "reduction.extremes",
    "reduction.statistics",
    "reduction.quantiles",
    "selecting.sorting",
    "selecting.searching",
    "selecting.selection",
    "selecting.unique",
    "reduction.histograms",
    "reduction.cumulative",
    "reduction.finite_differences",
    "reduction.segments",
    "layout.tensor_hashes",
    "layout.tensor_conversion",
    "layout.dim_orders",
    "layout.tensor_numbers",
    "creation.tensors_of_numbers",
    "layout.tensor_properties",
    "layout.tensor_gradients",
    "linear_algebra.linear_algebra",
    "linear_algebra.added_products",
    "linear_algebra.batched_products",
    "linear_algebra.tensor_contraction",
    "linear_algebra.matrix_forms",
    "neural_network.activation",
    "neural_network.shrinking",
    "neural_network.softmax",
    "creation.storages",
    "creation.random_creation",
    "creation.random_filling",
    "creation.random_sampling",
    "creation.generators",
    "neural_network.dropout",
    "neural_network.convolution",
    "neural_network.slow_convolution",
    "neural_network.folding",
    "neural_network.pooling",
    "neural_network.adaptive_pooling",
    "neural_network.unpooling",
    "neural_network.normalization",
    "neural_network.batch_normalization",
    "neural_network.instance_normalization",
    "neural_network.loss",
    "neural_network.cross_entropy",
    "neural_network.embedding",
    "neural_network.embedding_bags",
    "neural_network.sequences",
    "neural_network.padding",
    "neural_network.shuffling",
    "neural_network.upsampling",
    "neural_network.interpolation",
    "neural_network.attention",
    "layout.nested_tensors",
    "layout.opaque_tensors",
    "neural_network.transformer",
    "neural_network.distances",
    "neural_network.recurrent",
    "linear_algebra.matrix_factors",
    "linear_algebra.lu_factors",
    "linear_algebra.matrix_solvers",
    "linear_algebra.norms",
    "linear_algebra.matrix_properties",
    "signal.fourier",
    "signal.short_time_fourier",
    "neural_network.grid_sampling",
    "neural_network.sequence_loss",
    "linear_algebra.matrix_functions",
    "pointwise.special_functions",
    "pointwise.special_polynomials",
    "reduction.numerical_analysis",
    "neural_network.backward",
    "layout.copies",
    "scalars.lists",
    "scalars.list_searching",
    "scalars.dictionaries",
    "scalars.scalar_comparison",
    "scalars.scalars",
    "scalars.bits",
    "scalars.powers",
    "scalars.math_functions",
    "scalars.conversions",
    "scalars.strings",
    "scalars.string_formatting",
    "scalars.tuples",
    "scalars.enums",
    "scalars.hashing",
    "scalars.devices",
    "scalars.control",
)
"""In the order in which overloads of one name are tried: tensors before numbers and containers."""


@functools.cache
def load() -> OperatorTable:
    """The table with every operator of this runtime in it; kernels are imported when first used."""
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
        import_module(f"tsc.runtime.operators.{family}")


def _order_overloads(table: OperatorTable) -> None:
    """Put overloads of one name that several families declare into PyTorch's order."""
    from tsc.runtime.operators.overload_order import OVERLOAD_ORDER

    for name, overload_names in OVERLOAD_ORDER.items():
        table.reorder(name, overload_names)
