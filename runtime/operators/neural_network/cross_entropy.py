"""Losses of classes: negative log likelihood and cross entropy."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dtypes import CATEGORY, FLOATING, LONG, scalar_name
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.softmax import log_softmax_array
from tsc.runtime.operators.neural_network.loss import MEAN, NONE, SUM, reduced
from tsc.runtime.operators.neural_network.loss_types import check_real_floating, check_weight
from tsc.runtime.operators.out_variants import SAME, out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, asarray, wrap


def _negative_log_likelihood(
    scores: np.ndarray,
    target: np.ndarray,
    weight: np.ndarray | None,
    reduction: int,
    ignore_index: int,
) -> Tensor:
    """`scores` has the classes in dimension 1 (or alone), `target` one class a place."""
    if target.dtype is not LONG and target.dtype != np.uint8:
        raise ScriptError(
            "RuntimeError",
            f"\"nll_loss_out_frame\" not implemented for '{scalar_name(target.dtype)}'",
        )
    check_real_floating("nll_loss_out_frame", scores.dtype)
    if weight is not None:
        check_weight(weight.dtype, scores.dtype)
    rows = np.moveaxis(scores, 1 if scores.ndim > 1 else 0, -1)
    if rows.shape[:-1] != target.shape:
        _raise_mismatch(scores, target)
    counted = target != ignore_index
    classes = np.where(counted, target, 0)
    outside = classes[(classes < 0) | (classes >= rows.shape[-1])]
    if outside.size:
        raise ScriptError("IndexError", f"Target {outside.flat[0]} is out of bounds.")
    chosen = np.take_along_axis(rows, classes[..., np.newaxis], -1)[..., 0]
    weights = np.ones(target.shape, scores.dtype) if weight is None else weight[classes]
    weights = np.where(counted, weights, np.zeros((), scores.dtype))
    losses = np.where(counted, -chosen * weights, np.zeros((), scores.dtype))
    if reduction == MEAN:
        return wrap(np.add.reduce(losses, None) / np.add.reduce(weights, None))
    return reduced(losses, reduction)


def _raise_mismatch(scores: np.ndarray, target: np.ndarray) -> None:
    if scores.ndim <= 2:
        raise ScriptError(
            "ValueError",
            f"Expected input batch_size ({scores.shape[0]}) to match target batch_size "
            f"({target.shape[0] if target.ndim else 1}).",
        )
    raise ScriptError(
        "RuntimeError",
        f"size mismatch (got input: {list(scores.shape)} , target: {list(target.shape)}",
    )


_NLL = "Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100"


@operator(
    f"aten::nll_loss({_NLL}) -> Tensor",
    f"aten::nll_loss_nd({_NLL}) -> Tensor",
    f"aten::nll_loss2d({_NLL}) -> Tensor",
)
def nll_loss(
    self: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: int = MEAN,
    ignore_index: int = -100,
) -> Tensor:
    weights = None if weight is None else weight.array
    return _negative_log_likelihood(self.array, target.array, weights, reduction, ignore_index)


@operator(
    "aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1,"
    " SymInt ignore_index=-100, float label_smoothing=0.) -> Tensor"
)
def cross_entropy_loss(
    self: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: int = MEAN,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
) -> Tensor:
    if label_smoothing > 1:
        message = f"label_smoothing must be between 0.0 and 1.0: it is {label_smoothing:g}"
        raise ScriptError("RuntimeError", message)
    label_smoothing = max(label_smoothing, 0.0)
    scores = self.array
    is_probable = target.array.shape == scores.shape
    if is_probable and CATEGORY[target.array.dtype] != FLOATING:
        message = "Expected floating point type for target with class probabilities, got "
        raise ScriptError("RuntimeError", f"{message}{scalar_name(target.array.dtype)}")
    check_real_floating("log_softmax_lastdim_kernel_impl", scores.dtype)
    class_axis = 1 if scores.ndim > 1 else 0
    logarithms = log_softmax_array(scores, class_axis)
    weights = None if weight is None else weight.array
    if is_probable:
        return _with_probabilities(
            logarithms, target.array, weights, reduction, label_smoothing, class_axis
        )
    plain = _negative_log_likelihood(logarithms, target.array, weights, reduction, ignore_index)
    if label_smoothing == 0:
        return plain
    counted = target.array != ignore_index
    smooth = _smooth_loss(logarithms, target.array, weights, reduction, counted, class_axis)
    share = label_smoothing / scores.shape[class_axis]
    kind = scores.dtype.type
    return wrap(plain.array * kind(1 - label_smoothing) + smooth * kind(share))


def _smooth_loss(
    logarithms: np.ndarray,
    target: np.ndarray,
    weights: np.ndarray | None,
    reduction: int,
    counted: np.ndarray,
    class_axis: int,
) -> np.ndarray:
    """The loss against equal probabilities, not yet divided by their number."""
    rows = np.moveaxis(logarithms, class_axis, -1)
    losses = -(rows if weights is None else rows * weights).sum(-1)
    losses = np.where(counted, losses, np.zeros((), losses.dtype))
    if reduction == NONE:
        return asarray(losses)
    total = np.add.reduce(losses, None)
    if reduction == SUM:
        return asarray(total)
    if weights is None:
        return asarray(total / counted.sum().astype(losses.dtype))
    return asarray(total / weights[np.where(counted, target, 0)][counted].sum())


def _with_probabilities(
    logarithms: np.ndarray,
    target: np.ndarray,
    weights: np.ndarray | None,
    reduction: int,
    label_smoothing: float,
    class_axis: int,
) -> Tensor:
    classes = logarithms.shape[class_axis]
    kind = logarithms.dtype.type
    if label_smoothing:
        target = target * kind(1 - label_smoothing) + kind(label_smoothing / classes)
    product = np.moveaxis(logarithms * target, class_axis, -1)
    if weights is not None:
        product = product * weights
    if reduction == NONE:
        return wrap(-product.sum(-1))
    total = -np.add.reduce(product, None)
    if reduction == MEAN:
        total = total / kind(max(product.size // classes, 1))
    return wrap(total)


out_forms(SAME, "nll_loss")
out_forms(same("expected scalar type {result} but found {out}"), "nll_loss2d")
