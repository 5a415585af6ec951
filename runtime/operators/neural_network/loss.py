"""Losses. `reduction`: 0 gives every element's loss, 1 their mean, 2 their sum."""

from __future__ import annotations

import numpy as np

from tsc.compiler.schema import RowExpression
from tsc.runtime.arrays.dimensions import check_broadcast
from tsc.runtime.arrays.dtypes import CATEGORY, FLOATING
from tsc.runtime.arrays.half_precision import narrowed, widened
from tsc.runtime.arrays.type_promotion import floating_dtype, result_dtype
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.blocks import in_blocks
from tsc.runtime.operators.elementwise import promote
from tsc.runtime.operators.neural_network.loss_types import (
    check_clamped,
    check_divergence,
    check_found,
    check_mean,
    check_negated,
    check_real_floating,
    check_stored,
)
from tsc.runtime.operators.out_variants import CASTABLE, SAME, SAME_FOUND, out_forms
from tsc.runtime.operators.pointwise.arithmetic import check_subtraction, mul, mul_number, sub
from tsc.runtime.operators.reduction.reduction import sum_array
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, asarray, wrap

NONE, MEAN, SUM = range(3)
_APART = "(self - target)"


def _of_rows(loss: str) -> RowExpression:
    """The loss of all elements, of what each one's is."""
    total = f"torch.sum({loss})"
    return RowExpression(
        f"({loss}) if reduction == 0 else ({total} / count if reduction == 1 else {total})"
    )


def _bent(bound: str, divisor: str) -> str:
    """What `_bent_loss` computes of an element."""
    within = f"torch.clamp_max(torch.clamp_min({_APART}, -{bound}), {bound})"
    return f"({_APART} - {within} * 0.5) * ({within} / {divisor})"


_SOFTPLUS = "(torch.log1p(torch.exp(-torch.abs(self))) + torch.clamp_min(-self, 0))"
_WITH_LOGITS = (
    f"((1 - target) * self + ({_SOFTPLUS} if pos_weight is None else"
    f" {_SOFTPLUS} * ((pos_weight - 1) * target + 1)))"
)
_DIVERGENCE = (
    "torch.exp(target) * (target - self) if log_target else"
    " torch.where(target == 0, 0, target * torch.log(target)) - target * self"
)


def reduced(losses: np.ndarray, reduction: int) -> Tensor:
    if reduction == NONE:
        return wrap(losses)
    if reduction == MEAN and CATEGORY[losses.dtype] < FLOATING:
        check_mean(losses.dtype)
    wide = widened(losses)
    total = sum_array(wide, None, False)
    found = total / np.array(wide.size, wide.dtype) if reduction == MEAN else total
    return wrap(narrowed(asarray(found), losses.dtype))


def _floating(*tensors: Tensor) -> list[np.ndarray]:
    """Arrays in the floating dtype that the tensors meet in."""
    dtype = floating_dtype(result_dtype([tensor.array for tensor in tensors]))
    return [tensor.array.astype(dtype, copy=False) for tensor in tensors]


def _difference(name: str, self: Tensor, target: Tensor) -> np.ndarray:
    """The difference, which the kernel `name` takes of real floating numbers alone."""
    a, b = promote(self.array, target.array)
    check_real_floating(name, a.dtype)
    check_broadcast(a, b)
    return asarray(np.subtract(a, b))


@operator(
    "aten::mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
    rows=_of_rows(f"{_APART} * {_APART}"),
)
def mse_loss(self: Tensor, target: Tensor, reduction: int = MEAN) -> Tensor:
    difference = _difference("mse_cpu", self, target)
    return reduced(difference * difference, reduction)


@operator(
    "aten::l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
    rows=_of_rows(f"torch.abs({_APART})"),
)
def l1_loss(self: Tensor, target: Tensor, reduction: int = MEAN) -> Tensor:
    return reduced(np.abs(sub(self, target).array), reduction)


def _bent_loss(
    name: str, self: Tensor, target: Tensor, reduction: int, bound: float, divisor: float
) -> Tensor:
    """Half the square of the difference up to `bound`, a line from there on; both over `divisor`.

    With the difference d and the nearest number m to it within the bound, both are m (d - m / 2).
    """
    difference = _difference(name, self, target)

    def loss(x: np.ndarray, out: np.ndarray) -> None:
        kind = x.dtype.type
        within = np.clip(x, kind(-bound), kind(bound))
        np.multiply(within, kind(0.5), out)
        np.subtract(x, out, out)
        if divisor != 1:
            np.true_divide(within, kind(divisor), within)
        np.multiply(out, within, out)

    losses = in_blocks(loss, widened(difference))
    return reduced(narrowed(losses, difference.dtype), reduction)


@operator(
    "aten::smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor",
    rows=_of_rows(f"torch.abs({_APART}) if beta == 0 else {_bent('beta', 'beta')}"),
)
def smooth_l1_loss(
    self: Tensor, target: Tensor, reduction: int = MEAN, beta: float = 1.0
) -> Tensor:
    if beta < 0:
        message = f"smooth_l1_loss does not support negative values for beta: it is {beta:g}"
        raise ScriptError("RuntimeError", message)
    if beta == 0:
        return l1_loss(self, target, reduction)
    return _bent_loss("smooth_l1_cpu", self, target, reduction, beta, beta)


@operator(
    "aten::huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor",
    rows=_of_rows(_bent("delta", "1")),
)
def huber_loss(self: Tensor, target: Tensor, reduction: int = MEAN, delta: float = 1.0) -> Tensor:
    if delta <= 0:
        message = f"huber_loss does not support non-positive values for delta: it is {delta:g}"
        raise ScriptError("RuntimeError", message)
    own = self.array.dtype
    check_stored(result_dtype((self.array, target.array)), own)
    losses = _bent_loss("huber_cpu", self, target, NONE, delta, 1.0)
    return reduced(losses.array.astype(own, copy=False), reduction)


def _weighted(losses: np.ndarray, weight: Tensor | None) -> np.ndarray:
    return losses if weight is None else losses * weight.array


@operator(
    "aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1)"
    " -> Tensor"
)
def binary_cross_entropy(
    self: Tensor, target: Tensor, weight: Tensor | None = None, reduction: int = MEAN
) -> Tensor:
    a, b = self.array, target.array
    for other in (b,) if weight is None else (b, weight.array):
        check_found(other.dtype, a.dtype)
    check_real_floating("binary_cross_entropy", a.dtype)
    if a.size and not ((a >= 0) & (a <= 1)).all():
        message = "all elements of input should be between 0 and 1: are they logits? Pass them "
        message += "through sigmoid, or to binary_cross_entropy_with_logits"
        raise ScriptError("RuntimeError", message)
    kind = a.dtype.type
    lowest = kind(-100)
    yes, no = np.maximum(np.log(a), lowest), np.maximum(np.log1p(-a), lowest)
    return reduced(_weighted((b - kind(1)) * no - b * yes, weight), reduction)


@operator(
    "aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None,"
    " Tensor? pos_weight=None, int reduction=1) -> Tensor",
    rows=_of_rows(f"{_WITH_LOGITS} if weight is None else {_WITH_LOGITS} * weight"),
)
def binary_cross_entropy_with_logits(
    self: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: int = MEAN,
) -> Tensor:
    a, b = self.array, target.array
    check_real_floating("log_sigmoid_cpu", a.dtype)
    check_stored(result_dtype((a, b)), b.dtype)
    kind = a.dtype.type
    softplus = np.log1p(np.exp(-np.abs(a))) + np.maximum(-a, kind(0))
    if pos_weight is not None:
        softplus = softplus * ((pos_weight.array - kind(1)) * b + kind(1))
    losses = ((kind(1) - b) * a + softplus).astype(b.dtype, copy=False)
    return reduced(_weighted(losses, weight), reduction)


@operator(
    "aten::kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor",
    rows=_of_rows(_DIVERGENCE),
)
def kl_div(self: Tensor, target: Tensor, reduction: int = MEAN, log_target: bool = False) -> Tensor:
    a, b = self.array, target.array
    for each in (a, b):
        check_divergence(each.dtype)
    if log_target:
        return reduced(np.exp(b) * (b - a), reduction)
    entropy = np.where(np.equal(b, 0), np.zeros((), b.dtype), b * np.log(b))
    return reduced(entropy - b * a, reduction)


@operator(
    "aten::poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps,"
    " int reduction) -> Tensor"
)
def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: bool, full: bool, eps: float, reduction: int
) -> Tensor:
    if input.array.dtype is target.array.dtype:
        check_subtraction(input.array, target.array)
    a, b = _floating(input, target)
    kind = a.dtype.type
    losses = np.exp(*_floating(input)) - b * a if log_input else a - b * np.log(a + kind(eps))
    if full:
        stirling = b * np.log(b) - b + kind(0.5) * np.log(kind(2 * np.pi) * b)
        losses = losses + np.where(b > 1, stirling, kind(0))
    return reduced(losses, reduction)


@operator(
    "aten::hinge_embedding_loss(Tensor self, Tensor target, float margin=1., int reduction=1)"
    " -> Tensor"
)
def hinge_embedding_loss(
    self: Tensor, target: Tensor, margin: float = 1.0, reduction: int = MEAN
) -> Tensor:
    a, b = self.array, target.array
    check_subtraction(a, a)
    check_clamped(a.dtype)
    kind = a.dtype.type
    apart = np.where(np.equal(b, 1), kind(0), np.maximum(kind(margin) - a, kind(0)))
    together = np.where(np.equal(b, -1), kind(0), a)
    return reduced(apart + together, reduction)


@operator(
    "aten::margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.,"
    " int reduction=1) -> Tensor"
)
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = MEAN
) -> Tensor:
    difference = mul(target, sub(input2, input1)).array
    difference = difference.astype(floating_dtype(difference.dtype), copy=False)
    check_clamped(difference.dtype)
    kind = difference.dtype.type
    return reduced(np.maximum(difference + kind(margin), kind(0)), reduction)


@operator("aten::soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor")
def soft_margin_loss(self: Tensor, target: Tensor, reduction: int = MEAN) -> Tensor:
    check_negated(self.array.dtype)
    product = mul_number(mul(target, self), -1).array
    product = product.astype(floating_dtype(product.dtype), copy=False)
    check_stored(product.dtype, self.array.dtype)
    losses = np.log1p(np.exp(product)).astype(self.array.dtype, copy=False)
    return reduced(losses, reduction)


@operator(
    "aten::cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.,"
    " int reduction=1) -> Tensor"
)
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = MEAN
) -> Tensor:
    a, b = _floating(input1, input2)
    check_clamped(result_dtype((a, target.array)))
    sign = target.array
    kind = a.dtype.type
    small = kind(1e-12)
    product = (a * b).sum(-1)
    lengths = np.sqrt(((a * a).sum(-1) + small) * ((b * b).sum(-1) + small))
    cosine = product / lengths
    apart = np.maximum(cosine - kind(margin), kind(0))
    losses = np.where(np.equal(sign, 1), kind(1) - cosine, kind(0))
    return reduced(losses + np.where(np.equal(sign, -1), apart, kind(0)), reduction)


def _distance(a: np.ndarray, b: np.ndarray, p: float, eps: float) -> np.ndarray:
    size = np.abs(a - b + a.dtype.type(eps))
    kind = size.dtype.type
    return np.power(np.power(size, kind(p)).sum(-1), kind(1 / p))


@operator(
    "aten::triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative,"
    " float margin=1., float p=2., float eps=9.9999999999999995e-07, bool swap=False,"
    " int reduction=1) -> Tensor"
)
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: int = MEAN,
) -> Tensor:
    for other in (positive, negative):
        check_subtraction(anchor.array, other.array)
    a, like, unlike = _floating(anchor, positive, negative)
    near = _distance(a, like, p, eps)
    far = _distance(a, unlike, p, eps)
    if swap:
        far = np.minimum(far, _distance(like, unlike, p, eps))
    kind = near.dtype.type
    return reduced(np.maximum(near - far + kind(margin), kind(0)), reduction)


out_forms(CASTABLE, "huber_loss mse_loss smooth_l1_loss")
out_forms(SAME_FOUND, "binary_cross_entropy soft_margin_loss")
out_forms(SAME, "binary_cross_entropy_with_logits")
