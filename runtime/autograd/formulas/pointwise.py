"""Gradients of operators that work element by element: arithmetic, elementary functions, rounding, complex numbers."""

from typing import Final

FORMULAS: Final = """
add.Tensor
    self: grad
    other: grad * alpha
sub.Tensor
    self: grad
    other: grad * -alpha
add.Scalar sub.Scalar
    self: grad
rsub.Tensor
    self: grad * -alpha
    other: grad
rsub.Scalar
    self: grad * -alpha
mul.Tensor
    self: grad * other.conj()
    other: grad * self.conj()
mul.Scalar
    self: grad * other
div.Tensor
    self: grad / other.conj()
    other: -grad * ((self / other) / other).conj()
div.Scalar
    self: grad / other
div.Tensor_mode
    self: grad / other if rounding_mode is None else torch.zeros_like(grad)
    other: -grad * ((self / other) / other) if rounding_mode is None else torch.zeros_like(grad)
div.Scalar_mode
    self: grad / other if rounding_mode is None else torch.zeros_like(grad)
floor_divide
    none
addcmul
    self: grad
    tensor1: grad * (tensor2 * value).conj()
    tensor2: grad * (tensor1 * value).conj()
addcdiv
    self: grad
    tensor1: grad * (tensor2.reciprocal() * value).conj()
    tensor2: -grad * (tensor1 / (tensor2 * tensor2) * value).conj()
lerp.Scalar
    self: lerp_start(grad, weight)
    end: lerp_end(grad, weight)
lerp.Tensor
    self: grad * (1 - weight).conj()
    end: grad * weight.conj()
    weight: grad * (end - self).conj()
fmod.Scalar remainder.Scalar
    self: grad
fmod.Tensor
    self: grad
    other: -grad * torch.div(self, other, rounding_mode='trunc')
remainder.Tensor
    self: grad
    other: -grad * torch.div(self, other, rounding_mode='floor')
remainder.Scalar_Tensor
    other: -grad * torch.floor(torch.full_like(other, self) / other)
pow.Tensor_Scalar float_power.Tensor_Scalar
    self: pow_base_number(grad, self, exponent)
pow.Tensor_Tensor float_power.Tensor_Tensor
    self: pow_base(grad, self, exponent)
    exponent: pow_exponent(grad, self, exponent, result)
pow.Scalar float_power.Scalar
    exponent: pow_exponent_of_number(grad, self, exponent, result)
neg
    self: -grad
positive
    self: grad
abs
    self: grad * self.sgn()
sgn
    self: sgn_gradient(grad, self)
sign floor ceil round round.decimals trunc
    self: torch.zeros_like(grad)
frac
    self: grad
nextafter
    self: torch.where(self == other, torch.zeros_like(grad), grad)
    other: torch.zeros_like(grad)
frexp.Tensor
    self: grad / torch.exp2(result1)
    result1: none
reciprocal
    self: -grad * (result * result).conj()
sqrt
    self: grad / (2 * result.conj())
rsqrt
    self: -0.5 * grad * (result * result * result).conj()
square
    self: grad * (2 * self).conj()
exp
    self: grad * result.conj()
exp2
    self: grad * result.conj() * 0.6931471805599453
expm1
    self: grad * (result.conj() + 1)
log
    self: grad / self.conj()
log2
    self: grad / (self.conj() * 0.6931471805599453)
log10
    self: grad / (self.conj() * 2.302585092994046)
log1p
    self: grad / (self + 1).conj()
sin
    self: grad * self.cos().conj()
cos
    self: grad * -self.sin().conj()
tan
    self: grad * (1 + result * result).conj()
asin
    self: grad * (1 - self * self).rsqrt().conj()
acos
    self: grad * -(1 - self * self).rsqrt().conj()
atan
    self: grad / (self * self + 1).conj()
sinh
    self: grad * self.cosh().conj()
cosh
    self: grad * self.sinh().conj()
tanh
    self: grad * (1 - result * result).conj()
asinh
    self: grad * (self * self + 1).rsqrt().conj()
acosh
    self: grad * ((self - 1).rsqrt() * (self + 1).rsqrt()).conj()
atanh
    self: grad / (1 - self * self).conj()
atan2
    self: grad * torch.where((self == 0) & (other == 0), 0., other / (self * self + other * other))
    other: grad * torch.where((self == 0) & (other == 0), 0., -self / (self * self + other * other))
hypot
    self: grad * (self / result)
    other: grad * (other / result)
deg2rad
    self: torch.deg2rad(grad)
rad2deg
    self: torch.rad2deg(grad)
nan_to_num
    self: grad * torch.isfinite(self)
copysign.Tensor
    self: copysign_gradient(grad, self, result)
    other: torch.zeros_like(grad)
copysign.Scalar
    self: copysign_gradient(grad, self, result)
xlogy.Tensor special_xlogy
    self: xlogy_gradient(grad, self, other)
    other: grad * (self / other)
xlogy.Scalar_Self special_xlogy.self_scalar
    other: grad * self / other
xlogy.Scalar_Other special_xlogy.other_scalar
    self: xlogy_gradient(grad, self, torch.full_like(self, other))
logaddexp
    self: torch.where(torch.isinf(result) & (self == other), grad / 2, grad * torch.exp(self - result))
    other: torch.where(torch.isinf(result) & (self == other), grad / 2, grad * torch.exp(other - result))
logaddexp2
    self: grad * torch.exp2(self - result)
    other: grad * torch.exp2(other - result)
ldexp.Tensor
    self: grad * torch.pow(2.0, other)
    other: grad * result * 0.6931471805599453
maximum
    self: torch.where(self == other, grad / 2, grad).masked_fill(self < other, 0)
    other: torch.where(self == other, grad / 2, grad).masked_fill(self > other, 0)
minimum
    self: torch.where(self == other, grad / 2, grad).masked_fill(self > other, 0)
    other: torch.where(self == other, grad / 2, grad).masked_fill(self < other, 0)
fmax
    self: grad.masked_fill(~((self >= other) | other.isnan()), 0)
    other: grad.masked_fill((self >= other) | other.isnan(), 0)
fmin
    self: grad.masked_fill(~((self <= other) | other.isnan()), 0)
    other: grad.masked_fill((self <= other) | other.isnan(), 0)
clamp clip
    self: clamp_gradient(grad, self, min, max)
clamp_min
    self: torch.where(self >= min, grad, 0.)
clamp_max
    self: torch.where(self <= max, grad, 0.)
clamp.Tensor clip.Tensor
    self: clamp_tensor_gradient(grad, self, min, max)
    min: clamp_minimum_gradient(grad, self, min, max)
    max: clamp_maximum_gradient(grad, self, min, max)
clamp_min.Tensor
    self: torch.where(self >= min, grad, 0.)
    min: torch.where(self < min, grad, 0.)
clamp_max.Tensor
    self: torch.where(self <= max, grad, 0.)
    max: torch.where(self > max, grad, 0.)
where.self
    condition: none
    self: torch.where(condition, grad, 0.)
    other: torch.where(condition, 0., grad)
where.ScalarSelf
    other: torch.where(condition, 0., grad)
where.ScalarOther
    self: torch.where(condition, grad, 0.)
conj _conj conj_physical
    self: grad.conj()
real
    self: torch.complex(grad, torch.zeros_like(grad)) if self.is_complex() else grad
imag
    self: torch.complex(torch.zeros_like(grad), grad)
view_as_real
    self: torch.view_as_complex(grad.contiguous())
view_as_complex
    self: torch.view_as_real(grad)
complex
    real: torch.real(grad)
    imag: torch.imag(grad)
polar
    abs: torch.real(grad * torch.polar(torch.ones_like(abs), -angle))
    angle: torch.real(grad * torch.complex(torch.zeros_like(abs), -abs) * torch.polar(torch.ones_like(abs), -angle))
angle
    self: angle_gradient(grad, self)
clone alias lift_fresh contiguous resolve_conj resolve_neg
    self: grad
to.device to.dtype to.dtype_layout to.prim_Device to.prim_dtype to.prim_other
    self: grad
to.other type_as
    self: grad
    other: none
copy_
    self: torch.zeros_like(grad)
    src: grad
copy_.Tensor
    self: torch.zeros_like(grad)
    other: grad
copy
    self: torch.zeros_like(grad)
    src: grad
fill.Scalar fill_.Scalar zero zero_ normal_ uniform_ random_ random_.from random_.to bernoulli_.float exponential_
geometric_ log_normal_ cauchy_ copy_.int copy_.float
    self: torch.zeros_like(grad)
bernoulli_.Tensor
    self: torch.zeros_like(grad)
    p: torch.zeros_like(p)
fill.Tensor fill_.Tensor
    self: torch.zeros_like(grad)
    value: grad.sum()
masked_fill.Scalar
    self: grad.masked_fill(mask, 0)
masked_fill.Tensor
    self: grad.masked_fill(mask, 0)
    value: torch.where(mask, grad, 0.).sum()
masked_scatter
    self: grad.masked_fill(mask, 0)
    source: masked_scatter_source(grad, mask, source.numel(), source.size())
masked_select
    self: torch.zeros_like(self + mask.to(self.dtype)).masked_scatter(mask, grad)
"""

FUNCTIONS: Final = """
def lerp_start(grad: Tensor, weight: number):
    return grad - lerp_end(grad, weight)


def lerp_end(grad: Tensor, weight: number):
    return (grad.conj() * weight).conj()


def pow_base_number(grad: Tensor, self: Tensor, exponent: number):
    if exponent == 0:
        return torch.zeros_like(grad)
    return grad * (torch.pow(self, exponent - 1) * exponent).conj()


def pow_base(grad: Tensor, self: Tensor, exponent: Tensor):
    slope = (exponent * torch.pow(self, exponent - 1)).conj()
    return torch.where(exponent == 0, torch.zeros_like(grad), grad * slope)


def pow_exponent(grad: Tensor, self: Tensor, exponent: Tensor, result: Tensor):
    if exponent.is_complex():
        nothing = (self == 0) & (torch.real(exponent) >= 0)
    else:
        nothing = (self == 0) & (exponent >= 0)
    slope = (result * torch.log(self)).conj()
    return torch.where(nothing, torch.zeros_like(grad), grad * slope)


def pow_exponent_of_number(grad: Tensor, self: number, exponent: Tensor, result: Tensor):
    base = torch.scalar_tensor(self, dtype=result.dtype)
    return pow_exponent(grad, base, exponent, result)


def xlogy_gradient(grad: Tensor, self: Tensor, other: Tensor):
    slope = torch.log(other)
    return torch.where((self == 0) & (other <= 0), torch.zeros_like(slope), grad * slope)


def sgn_gradient(grad: Tensor, self: Tensor):
    if not self.is_complex():
        return torch.zeros_like(grad)
    size = self.abs()
    direction = self.sgn()
    across = (grad - torch.real(grad * direction.conj()) * direction) / size
    return torch.where(size == 0, torch.zeros_like(across), across)


def copysign_gradient(grad: Tensor, self: Tensor, result: Tensor):
    return torch.where(self == 0, torch.zeros_like(grad), grad * (result / self))


def clamp_gradient(grad: Tensor, self: Tensor, min: Optional[number], max: Optional[number]):
    if min is not None:
        grad = torch.where(self >= min, grad, torch.zeros_like(grad))
    if max is not None:
        grad = torch.where(self <= max, grad, torch.zeros_like(grad))
    return grad


def clamp_tensor_gradient(grad: Tensor, self: Tensor, min: Optional[Tensor], max: Optional[Tensor]):
    if min is not None:
        grad = torch.where(self >= min, grad, torch.zeros_like(grad))
    if max is not None:
        grad = torch.where(self <= max, grad, torch.zeros_like(grad))
    return grad


def clamp_minimum_gradient(grad: Tensor, self: Tensor, min: Optional[Tensor], max: Optional[Tensor]):
    assert min is not None
    taken = self < min
    if max is not None:
        taken = taken & (min < max)
    return torch.where(taken, grad, torch.zeros_like(grad))


def clamp_maximum_gradient(grad: Tensor, self: Tensor, min: Optional[Tensor], max: Optional[Tensor]):
    assert max is not None
    taken = self > max
    if min is not None:
        taken = taken | (max < min)
    return torch.where(taken, grad, torch.zeros_like(grad))


def angle_gradient(grad: Tensor, self: Tensor):
    if not self.is_complex():
        return torch.zeros_like(grad)
    size = self.abs()
    slope = torch.complex(-torch.imag(self), torch.real(self)) / (size * size)
    return torch.where(size == 0, torch.zeros_like(slope), grad * slope)


def masked_scatter_source(grad: Tensor, mask: Tensor, count: int, sizes: List[int]):
    taken = grad.masked_select(mask)
    missing = count - taken.numel()
    if missing > 0:
        taken = torch.cat([taken, torch.zeros([missing], dtype=taken.dtype)])
    return taken.reshape(sizes)
"""
