"""``out=`` forms of arithmetic, comparisons and other elementwise operators."""

from __future__ import annotations

from tsc.runtime.operators.out_variants import (
    ANY_DTYPE,
    CASTABLE,
    SAME,
    SAME_FOUND,
    castable,
    declare_out_variants,
    same,
)

declare_out_variants(
    CASTABLE,
    """
    aten::acos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::acosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
    aten::addcdiv.out(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1,
        Tensor(a!) out) -> Tensor(a!)
    aten::addcmul.out(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1,
        Tensor(a!) out) -> Tensor(a!)
    aten::angle.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::arccos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::arccosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::arcsin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::arcsinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::arctan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::arctan2.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::arctanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::asin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::asinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::atan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::atan2.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::atanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::bitwise_and.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::bitwise_and.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::bitwise_left_shift.Tensor_Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::bitwise_left_shift.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::bitwise_or.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::bitwise_or.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::bitwise_right_shift.Tensor_Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::bitwise_right_shift.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::bitwise_xor.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::bitwise_xor.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::clamp.Tensor_out(Tensor self, Tensor? min=None, Tensor? max=None, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::clamp_max.Tensor_out(Tensor self, Tensor max, *, Tensor(a!) out) -> Tensor(a!)
    aten::clamp_min.Tensor_out(Tensor self, Tensor min, *, Tensor(a!) out) -> Tensor(a!)
    aten::clip.Tensor_out(Tensor self, Tensor? min=None, Tensor? max=None, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::copysign.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::copysign.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::cos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::cosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::deg2rad.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::div.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::div.out_mode(Tensor self, Tensor other, *, str? rounding_mode, Tensor(a!) out)
        -> Tensor(a!)
    aten::divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::divide.out_mode(Tensor self, Tensor other, *, str? rounding_mode, Tensor(a!) out)
        -> Tensor(a!)
    aten::exp.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::exp2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::expm1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::floor_divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::fmax.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::fmin.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::fmod.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::fmod.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::gcd.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::hypot.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::lcm.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::lerp.Scalar_out(Tensor self, Tensor end, Scalar weight, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::log.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::log10.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::log1p.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::log2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::logaddexp.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::logaddexp2.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::max.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::maximum.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::min.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::minimum.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::mul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::multiply.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::nextafter.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::pow.Scalar_out(Scalar self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)
    aten::pow.Tensor_Scalar_out(Tensor self, Scalar exponent, *, Tensor(a!) out) -> Tensor(a!)
    aten::pow.Tensor_Tensor_out(Tensor self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)
    aten::rad2deg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::reciprocal.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::remainder.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::remainder.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::rsqrt.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::sin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::sinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::sqrt.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::square.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::sub.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
    aten::subtract.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out)
        -> Tensor(a!)
    aten::tan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::tanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::true_divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    SAME_FOUND,
    """
    aten::abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::absolute.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::bitwise_not.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::ceil.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::clamp.out(Tensor self, Scalar? min=None, Scalar? max=None, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::clamp_max.out(Tensor self, Scalar max, *, Tensor(a!) out) -> Tensor(a!)
    aten::clamp_min.out(Tensor self, Scalar min, *, Tensor(a!) out) -> Tensor(a!)
    aten::clip.out(Tensor self, Scalar? min=None, Scalar? max=None, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::fix.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::floor.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::frac.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::lerp.Tensor_out(Tensor self, Tensor end, Tensor weight, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::neg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::negative.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::round.decimals_out(Tensor self, *, int decimals, Tensor(a!) out) -> Tensor(a!)
    aten::round.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::sgn.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::sign.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::trunc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    ANY_DTYPE,
    """
    aten::eq.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::eq.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::ge.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::ge.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::greater.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::greater.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::greater_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::greater_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::gt.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::gt.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::le.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::le.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::less.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::less.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::less_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::less_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::logical_and.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::logical_not.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::logical_or.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::logical_xor.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::lt.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::lt.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::ne.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::ne.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::not_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::not_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    SAME,
    """
    aten::__lshift__.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::__lshift__.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::__rshift__.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::__rshift__.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::add.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::bitwise_and.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::bitwise_left_shift.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::bitwise_or.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::bitwise_right_shift.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::bitwise_xor.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::div.Scalar_mode_out(Tensor self, Scalar other, *, str? rounding_mode, Tensor(a!) out)
        -> Tensor(a!)
    aten::div.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::floor_divide.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::isin.Scalar_Tensor_out(Scalar element, Tensor test_elements, *,
        bool assume_unique=False, bool invert=False, Tensor(a!) out) -> Tensor(a!)
    aten::isin.Tensor_Scalar_out(Tensor elements, Scalar test_element, *,
        bool assume_unique=False, bool invert=False, Tensor(a!) out) -> Tensor(a!)
    aten::isin.Tensor_Tensor_out(Tensor elements, Tensor test_elements, *,
        bool assume_unique=False, bool invert=False, Tensor(a!) out) -> Tensor(a!)
    aten::isinf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::isnan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::mul.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
    aten::remainder.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::rsub.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::rsub.Tensor_out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out)
        -> Tensor(a!)
    aten::sub.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out)
        -> Tensor(a!)
    """,
)
declare_out_variants(
    same("Expected object of scalar type {result} but got scalar type {out} for argument 'out'"),
    """
    aten::complex.out(Tensor real, Tensor imag, *, Tensor(a!) out) -> Tensor(a!)
    aten::polar.out(Tensor abs, Tensor angle, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same(
        "the output given to float_power has dtype {out} but the operation's result requires "
        "dtype {result}"
    ),
    """
    aten::float_power.Scalar_out(Scalar self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)
    aten::float_power.Tensor_Scalar_out(Tensor self, Scalar exponent, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::float_power.Tensor_Tensor_out(Tensor self, Tensor exponent, *, Tensor(a!) out)
        -> Tensor(a!)
    """,
)
declare_out_variants(
    (
        same("torch.frexp() expects mantissa to have dtype {c_result} but got {c_out}"),
        same("torch.frexp() expects exponent to have {c_result} dtype but got {c_out}"),
    ),
    """
    aten::frexp.Tensor_out(Tensor self, *, Tensor(a!) mantissa, Tensor(b!) exponent)
        -> (Tensor(a!) mantissa, Tensor(b!) exponent)
    """,
)
declare_out_variants(
    same("heaviside is not yet implemented for tensors with different dtypes."),
    """
    aten::heaviside.out(Tensor self, Tensor values, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same("isneginf does not support non-boolean outputs."),
    """
    aten::isneginf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same("isposinf does not support non-boolean outputs."),
    """
    aten::isposinf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same("nan_to_num: dtype of out: {out} should be same as input: {result}"),
    """
    aten::nan_to_num.out(Tensor self, float? nan=None, float? posinf=None, float? neginf=None,
        *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same("signbit does not support non-boolean outputs."),
    """
    aten::signbit.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    castable("ldexp can't be cast to the desired output type {out}"),
    """
    aten::ldexp.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
