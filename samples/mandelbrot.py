"""The Mandelbrot set, once in scalars and once in tensors, drawn with characters."""
from typing import List

import torch
from torch import Tensor


def escape_time(real: float, imaginary: float, limit: int) -> int:
    x = 0.0
    y = 0.0
    for i in range(limit):
        x, y = x * x - y * y + real, 2.0 * x * y + imaginary
        if x * x + y * y > 4.0:
            return i
    return limit


def picture(width: int, height: int, limit: int) -> List[str]:
    rows: List[str] = []
    for row in range(height):
        line = ""
        for column in range(width):
            steps = escape_time(3.0 * column / width - 2.2, 2.4 * row / height - 1.2, limit)
            line += " .:-=+*#%@"[min(9, steps * 9 // limit)]
        rows.append(line)
    return rows


def escape_times(real: Tensor, imaginary: Tensor, limit: int) -> Tensor:
    x = torch.zeros_like(real)
    y = torch.zeros_like(imaginary)
    times = torch.full_like(real, limit, dtype=torch.int64)
    for i in range(limit):
        x, y = x * x - y * y + real, 2.0 * x * y + imaginary
        escaped = (x * x + y * y > 4.0) & (times == limit)
        times = torch.where(escaped, torch.full_like(times, i), times)
    return times


def main():
    for line in picture(60, 20, 40):
        print(line)
    real = torch.linspace(-2.0, 0.5, 6).unsqueeze(0).expand(3, 6)
    imaginary = torch.linspace(-1.0, 1.0, 3).unsqueeze(1).expand(3, 6)
    return escape_times(real, imaginary, 40)
