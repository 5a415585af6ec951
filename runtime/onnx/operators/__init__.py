"""What each operator of ATen is in ONNX, by family. Importing a family puts its operators in the table."""

from tsc.runtime.onnx.calls import CONVERSIONS
from tsc.runtime.onnx.operators import (
    activations,
    adaptive_pooling,
    attention,
    composites,
    creation,
    cumulative,
    data_sizes,
    distances,
    division,
    embedding_bags,
    gates,
    indexing,
    interpolation,
    matrix_products,
    normalization,
    ordering,
    padding,
    parts,
    pointwise,
    pooling,
    random_numbers,
    recurrent,
    reductions,
    scattering,
    shifts,
    transformer,
    variances,
    views,
    windows,
)

FAMILIES = (
    *(activations, adaptive_pooling, attention, composites, creation, cumulative, data_sizes),
    *(
        distances,
        division,
        embedding_bags,
        gates,
        indexing,
        interpolation,
        matrix_products,
        normalization,
    ),
    *(ordering, padding, parts, pointwise, pooling, random_numbers, recurrent, reductions),
    *(scattering, shifts, transformer, variances, views, windows),
)
__all__ = ["CONVERSIONS", "FAMILIES"]
