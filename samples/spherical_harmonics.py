"""Real spherical harmonics of any degree by the recurrences of the associated Legendre functions, as molecular models use them."""
import math
from typing import List, Tuple

import torch
from torch import Tensor


def normalization(l: int, m: int) -> float:
    """sqrt((2l + 1) / 4 pi * (l - m)! / (l + m)!), with sqrt(2) for m > 0."""
    ratio = 1.0
    for k in range(l - m + 1, l + m + 1):
        ratio /= k
    value = math.sqrt((2 * l + 1) / (4 * math.pi) * ratio)
    return value * math.sqrt(2.0) if m > 0 else value


def legendre(degree: int, z: Tensor) -> List[List[Tensor]]:
    """P[l][m] without the power of sin(theta), which the azimuthal part carries."""
    table: List[List[Tensor]] = []
    for l in range(degree + 1):
        row: List[Tensor] = []
        for m in range(l + 1):
            if l == m:
                factor = 1.0
                for k in range(1, l + 1):
                    factor *= 2 * k - 1
                row.append(torch.full_like(z, factor))
            elif l == m + 1:
                row.append((2 * m + 1) * z * table[l - 1][m])
            else:
                row.append(((2 * l - 1) * z * table[l - 1][m] - (l + m - 1) * table[l - 2][m]) / (l - m))
        table.append(row)
    return table


def azimuthal(degree: int, x: Tensor, y: Tensor) -> Tuple[List[Tensor], List[Tensor]]:
    """Real and imaginary parts of (x + iy)^m."""
    cosines = [torch.ones_like(x)]
    sines = [torch.zeros_like(x)]
    for _ in range(degree):
        c, s = cosines[-1], sines[-1]
        cosines.append(x * c - y * s)
        sines.append(x * s + y * c)
    return cosines, sines


def spherical_harmonics(degree: int, vectors: Tensor, normalize: bool = True) -> Tensor:
    """Vectors [..., 3] give [..., (degree + 1) ** 2], ordered by l and then m from -l to l."""
    if normalize:
        vectors = torch.nn.functional.normalize(vectors, dim=-1)
    x, y, z = vectors.unbind(-1)
    table = legendre(degree, z)
    cosines, sines = azimuthal(degree, x, y)
    values: List[Tensor] = []
    for l in range(degree + 1):
        for m in range(-l, l + 1):
            angular = sines[-m] if m < 0 else cosines[m]
            values.append(normalization(l, abs(m)) * table[l][abs(m)] * angular)
    return torch.stack(values, dim=-1)


def power_spectrum(harmonics: Tensor, degree: int) -> Tensor:
    """Sums of squares over each degree: they do not change when the vectors are rotated."""
    parts = torch.split(harmonics**2, [2 * l + 1 for l in range(degree + 1)], dim=-1)
    return torch.stack([part.sum(-1) for part in parts], -1)


def main() -> Tuple[Tensor, Tensor, bool]:
    torch.manual_seed(2)
    vectors = torch.randn(4, 3, dtype=torch.float64)
    c, s = math.cos(0.7), math.sin(0.7)
    turn = torch.tensor([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]], dtype=torch.float64)
    tilt = torch.tensor([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]], dtype=torch.float64)
    harmonics = spherical_harmonics(4, vectors)
    environment = harmonics.sum(0)
    rotated = spherical_harmonics(4, vectors @ (turn @ tilt).t()).sum(0)
    same = torch.allclose(power_spectrum(environment, 4), power_spectrum(rotated, 4))
    return harmonics[:, :9], power_spectrum(environment, 4), same
