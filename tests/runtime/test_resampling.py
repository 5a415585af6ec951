"""Images of bytes that are resized as floats and rounded afterwards: the last bit decides."""

from __future__ import annotations

import tsc

SOURCE = """
def resized(x: Tensor, size: List[int]) -> Tensor:
    return torch.nn.functional.interpolate(x, size, mode="bilinear", antialias=True).round()
"""
PIXELS = [
    *([100, 250, 74, 140], [146, 158, 187, 133], [144, 95, 96, 188], [171, 236, 31, 235]),
    *([99, 44, 24, 190], [79, 21, 147, 77], [33, 4, 39, 124], [67, 162, 162, 42]),
]
EXPECTED = [[147, 166, 132], [146, 123, 160], [133, 84, 155], [56, 59, 106], [66, 105, 86]]


def test_products_are_added_before_they_are_rounded() -> None:
    """The second pixel of the second row is 122.5 but for the rounding of one product."""
    image = tsc.tensor([[PIXELS]], dtype=tsc.float32)
    assert tsc.CompilationUnit(SOURCE).resized(image, [5, 3]).tolist() == [[EXPECTED]]
