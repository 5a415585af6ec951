"""Rotations as robotics uses them: quaternions (w, x, y, z), matrices, axis and angle, Euler angles, interpolation."""
import math
from typing import List, Tuple

import torch
from torch import Tensor


def normalize(q: Tensor) -> Tensor:
    return q / q.norm(2, -1, True).clamp_min(1e-12)


def multiply(a: Tensor, b: Tensor) -> Tensor:
    aw, ax, ay, az = torch.unbind(a, -1)
    bw, bx, by, bz = torch.unbind(b, -1)
    return torch.stack(
        (
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ),
        -1,
    )


def conjugate(q: Tensor) -> Tensor:
    return q * torch.tensor([1, -1, -1, -1], dtype=q.dtype, device=q.device)


def rotate(q: Tensor, v: Tensor) -> Tensor:
    """Vectors [..., 3] turned by unit quaternions [..., 4]."""
    axis = q[..., 1:]
    t = 2.0 * torch.cross(axis, v, dim=-1)
    return v + q[..., :1] * t + torch.cross(axis, t, dim=-1)


def from_axis_angle(axis: Tensor, angle: Tensor) -> Tensor:
    half = angle.unsqueeze(-1) / 2
    direction = axis / axis.norm(p=2, dim=-1, keepdim=True)
    return torch.cat([half.cos(), direction * half.sin()], dim=-1)


def to_axis_angle(q: Tensor) -> Tuple[Tensor, Tensor]:
    q = torch.where(q[..., :1] < 0, -q, q)
    length = q[..., 1:].norm(2, -1)
    angle = 2 * torch.atan2(length, q[..., 0])
    return q[..., 1:] / length.clamp(min=1e-9).unsqueeze(-1), angle


def to_matrix(q: Tensor) -> Tensor:
    w, x, y, z = torch.unbind(q, -1)
    s = 2.0 / (q * q).sum(-1)
    flat = torch.stack(
        (
            1 - s * (y * y + z * z),
            s * (x * y - z * w),
            s * (x * z + y * w),
            s * (x * y + z * w),
            1 - s * (x * x + z * z),
            s * (y * z - x * w),
            s * (x * z - y * w),
            s * (y * z + x * w),
            1 - s * (x * x + y * y),
        ),
        -1,
    )
    return flat.reshape(q.shape[:-1] + (3, 3))


def from_matrix(m: Tensor) -> Tensor:
    """The best conditioned of the four ways to read a quaternion off a matrix, for each matrix on its own."""
    m00, m11, m22 = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    candidates = torch.stack(
        [
            torch.stack([1 + m00 + m11 + m22, m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]], -1),
            torch.stack([m[..., 2, 1] - m[..., 1, 2], 1 + m00 - m11 - m22, m[..., 1, 0] + m[..., 0, 1], m[..., 0, 2] + m[..., 2, 0]], -1),
            torch.stack([m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] + m[..., 0, 1], 1 - m00 + m11 - m22, m[..., 2, 1] + m[..., 1, 2]], -1),
            torch.stack([m[..., 1, 0] - m[..., 0, 1], m[..., 0, 2] + m[..., 2, 0], m[..., 2, 1] + m[..., 1, 2], 1 - m00 - m11 + m22], -1),
        ],
        dim=-2,
    )
    best = torch.diagonal(candidates, dim1=-2, dim2=-1).argmax(-1)
    index = best[..., None, None].expand(best.shape + (1, 4))
    q = normalize(candidates.gather(-2, index).squeeze(-2))
    return torch.where(q[..., :1] < 0, -q, q)


def euler_matrix(angles: Tensor, convention: str) -> Tensor:
    if len(convention) != 3:
        raise ValueError(f"a convention has three letters, not {convention}")
    result = torch.eye(3)
    for i, axis in enumerate(convention):
        c, s = torch.cos(angles[i]), torch.sin(angles[i])
        one, zero = torch.ones_like(c), torch.zeros_like(c)
        if axis == "X":
            rows = [one, zero, zero, zero, c, -s, zero, s, c]
        elif axis == "Y":
            rows = [c, zero, s, zero, one, zero, -s, zero, c]
        elif axis == "Z":
            rows = [c, -s, zero, s, c, zero, zero, zero, one]
        else:
            raise ValueError(f"there is no axis {axis}")
        result = result @ torch.stack(rows).view(3, 3)
    return result


def slerp(a: Tensor, b: Tensor, t: float) -> Tensor:
    cosine = (a * b).sum(-1, keepdim=True)
    b = torch.where(cosine < 0, -b, b)
    angle = torch.acos(cosine.abs().clamp(max=1.0))
    sine = torch.sin(angle)
    mixed = (torch.sin((1 - t) * angle) * a + torch.sin(t * angle) * b) / sine
    return torch.where(sine < 1e-6, normalize(torch.lerp(a, b, t)), mixed)


def angle_between(a: Tensor, b: Tensor) -> Tensor:
    return to_axis_angle(multiply(conjugate(a), b))[1]


def main() -> Tuple[List[bool], Tensor, Tensor, Tensor]:
    torch.manual_seed(1)
    q = normalize(torch.randn(5, 4))
    v = torch.randn(5, 3)
    axis, angle = to_axis_angle(q)
    agree = [
        torch.allclose(rotate(q, v), (to_matrix(q) @ v.unsqueeze(-1)).squeeze(-1), atol=1e-6),
        torch.allclose(from_axis_angle(axis, angle), torch.where(q[:, :1] < 0, -q, q), atol=1e-5),
        torch.allclose(to_matrix(from_matrix(to_matrix(q))), to_matrix(q), atol=1e-5),
        torch.allclose(to_matrix(multiply(q[0], q[1])), to_matrix(q[0]) @ to_matrix(q[1]), atol=1e-6),
    ]
    euler = euler_matrix(torch.tensor([0.1, -math.pi / 3, 1.2]), "ZYX")
    between = slerp(q[0], q[1], 0.25)
    return agree, from_matrix(euler), between, angle_between(q[0], between) / angle_between(q[0], q[1])
