"""Gradients of special functions."""

from typing import Final

FORMULAS: Final = """
erf
    self: 1.1283791670955126 * grad * torch.exp(-self * self)
erfc
    self: -1.1283791670955126 * grad * torch.exp(-self * self)
erfinv
    self: 0.8862269254527579 * grad * torch.exp(result * result)
lgamma
    self: grad * torch.digamma(self)
digamma
    self: grad * torch.polygamma(1, self)
polygamma special_polygamma
    self: grad * torch.polygamma(n + 1, self)
mvlgamma
    self: (grad.unsqueeze(-1) * torch.digamma(self.unsqueeze(-1) - 0.5 * torch.arange(p, dtype=self.dtype))).sum(-1)
sinc
    self: sinc_gradient(grad, self)
logit
    self: logit_gradient(grad, self, eps)
i0
    self: grad * torch.special.i1(self)
special_i0e
    self: grad * (torch.special.i1e(self) - self.sgn() * result)
special_i1
    self: grad * i1_slope(self, result)
special_i1e
    self: grad * i1e_slope(self, result)
special_ndtr
    self: grad * torch.exp(-0.5 * self * self) * 0.3989422804014327
special_log_ndtr
    self: grad / torch.special.erfcx(self * -0.7071067811865476) * 0.7978845608028654
special_ndtri
    self: grad * torch.exp(0.5 * result * result) * 2.5066282746310002
special_erfcx
    self: (2 * self * result - 1.1283791670955126) * grad
special_entr
    self: grad * (-(1 + self.log()))
special_xlog1py
    self: grad * torch.where((self == 0) & (other <= -1), torch.zeros_like(grad), torch.log1p(other))
    other: grad * (self / (other + 1))
special_xlog1py.self_scalar
    other: grad * self / (other + 1)
special_zeta
    other: grad * -self * torch.special.zeta(self + 1, other)
special_zeta.self_scalar
    other: grad * -self * torch.special.zeta(torch.scalar_tensor(self, dtype=other.dtype) + 1, other)
igamma special_gammainc
    other: grad * torch.exp((self - 1) * torch.log(other) - other - torch.lgamma(self))
igammac special_gammaincc
    other: -grad * torch.exp((self - 1) * torch.log(other) - other - torch.lgamma(self))
"""

FUNCTIONS: Final = """
def sinc_gradient(grad: Tensor, self: Tensor):
    scaled = self * 3.141592653589793
    square = scaled * self
    slope = (scaled * torch.cos(scaled) - torch.sin(scaled)) / square
    return torch.where(square == 0, torch.zeros_like(grad), grad * slope.conj())


def logit_gradient(grad: Tensor, self: Tensor, eps: Optional[float]):
    slope = grad / (self * (1 - self))
    if eps is None:
        outside = (self < 0) | (self > 1)
        return torch.where(outside, torch.full_like(grad, float('nan')), slope)
    outside = (self < eps) | (self > 1 - eps)
    return torch.where(outside, torch.zeros_like(grad), slope)


def i1_slope(self: Tensor, result: Tensor):
    safe = torch.where(self.abs() > 1e-15, self, torch.full_like(self, 1e-15))
    slope = torch.i0(safe) - result / safe
    return torch.where(self.abs() > 1e-15, slope, torch.full_like(slope, 0.5))


def i1e_slope(self: Tensor, result: Tensor):
    safe = torch.where(self.abs() > 1e-15, self, torch.full_like(self, 1e-15))
    slope = torch.special.i0e(safe) - result * (safe.sgn() + 1 / safe)
    return torch.where(self.abs() > 1e-15, slope, torch.full_like(slope, 0.5))
"""
