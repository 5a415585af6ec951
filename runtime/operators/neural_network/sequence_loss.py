"""Connectionist temporal classification, and the margin losses."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.type_promotion import Number
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.neural_network.loss import MEAN, NONE, reduced
from tsc.runtime.operators.neural_network.loss_types import check_wide_floating
from tsc.runtime.operators.out_variants import out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, asarray, wrap


def _negative_log_probability(scores: np.ndarray, labels: np.ndarray, blank: int) -> float:
    """-log p(labels) for log-probabilities (time, classes): the forward algorithm."""
    extended = np.full(2 * len(labels) + 1, blank)
    extended[1::2] = labels
    skips = np.zeros(len(extended), bool)
    skips[2:] = (extended[2:] != blank) & (extended[2:] != extended[:-2])
    alpha = np.full(len(extended), -np.inf)
    alpha[:2] = scores[0, extended[:2]]
    for row in scores[1:]:
        previous = np.concatenate([[-np.inf], alpha[:-1]])
        skipped = np.concatenate([[-np.inf, -np.inf], alpha[:-2]])[: len(alpha)]
        skipped = np.where(skips, skipped, -np.inf)
        alpha = np.logaddexp(np.logaddexp(alpha, previous), skipped) + row[extended]
    last = alpha[-1] if len(extended) == 1 else np.logaddexp(alpha[-1], alpha[-2])
    return -float(last)


def _targets_of(targets: np.ndarray, position: int, target_lengths: list[int]) -> np.ndarray:
    length = target_lengths[position]
    if targets.ndim == 2:
        return targets[position, :length]
    start = sum(target_lengths[:position])
    return targets[start : start + length]


def _ctc(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: list[int],
    target_lengths: list[int],
    blank: int,
    reduction: int,
    zero_infinity: bool,
) -> Tensor:
    scores = log_probs.array
    batched = scores if scores.ndim == 3 else scores[:, np.newaxis]
    if not 0 <= blank < batched.shape[2]:
        raise ScriptError("RuntimeError", "blank must be in label range")
    if len(input_lengths) != batched.shape[1]:
        raise ScriptError("RuntimeError", "input_lengths must be of size batch_size")
    if len(target_lengths) != batched.shape[1]:
        raise ScriptError("RuntimeError", "target_lengths must be of size batch_size")
    losses = []
    for position, length in enumerate(input_lengths):
        if length > len(batched):
            raise ScriptError(
                "RuntimeError",
                f"Expected input_lengths to be at most {len(batched)}, the steps of the input, not "
                f"{length}",
            )
        labels = _targets_of(targets.array, position, target_lengths)
        wide = batched[:length, position].astype(np.float64)
        losses.append(_negative_log_probability(wide, labels, blank))
    result = np.array(losses, scores.dtype)
    if zero_infinity:
        result = np.where(np.isinf(result), np.zeros((), scores.dtype), result)
    if reduction == MEAN:
        lengths = np.maximum(np.array(target_lengths), 1).astype(scores.dtype)
        return wrap(asarray((result / lengths).mean()))
    if reduction == NONE and scores.ndim == 2:
        return wrap(result[0])
    return reduced(result, reduction)


_CTC = "int blank=0, int reduction=1, bool zero_infinity=False"


@operator(
    "aten::ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths,"
    f" int[] target_lengths, {_CTC}) -> Tensor"
)
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: list[int],
    target_lengths: list[int],
    blank: int = 0,
    reduction: int = MEAN,
    zero_infinity: bool = False,
) -> Tensor:
    return _ctc(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)


@operator(
    "aten::ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths,"
    f" Tensor target_lengths, {_CTC}) -> Tensor"
)
def ctc_loss_tensors(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor,
    target_lengths: Tensor,
    blank: int = 0,
    reduction: int = MEAN,
    zero_infinity: bool = False,
) -> Tensor:
    inputs, labels = (
        np.atleast_1d(each.array).tolist() for each in (input_lengths, target_lengths)
    )
    return _ctc(log_probs, targets, inputs, labels, blank, reduction, zero_infinity)


@operator(
    "aten::multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1,"
    " Tensor? weight=None, int reduction=1) -> Tensor"
)
def multi_margin_loss(
    self: Tensor,
    target: Tensor,
    p: Number = 1,
    margin: Number = 1,
    weight: Tensor | None = None,
    reduction: int = MEAN,
) -> Tensor:
    check_wide_floating("multi_margin_loss_cpu_kernel", self.array.dtype)
    scores = np.atleast_2d(self.array)
    classes = np.atleast_1d(target.array)
    rows = np.arange(len(scores))
    kind = scores.dtype.type
    chosen = scores[rows, classes][:, np.newaxis]
    excess = np.maximum(kind(margin) - chosen + scores, kind(0)) ** kind(p)
    excess[rows, classes] = 0
    if weight is not None:
        excess = excess * weight.array[classes][:, np.newaxis]
    losses = excess.sum(1) / kind(scores.shape[1])
    if reduction == NONE and self.array.ndim < 2:
        return wrap(losses[0])
    return reduced(losses, reduction)


@operator("aten::multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor")
def multilabel_margin_loss(self: Tensor, target: Tensor, reduction: int = MEAN) -> Tensor:
    check_wide_floating("multilabel_margin_loss_forward_out_frame", self.array.dtype)
    if self.array.shape != target.array.shape:
        message = f"inconsistent target size: {list(target.array.shape)}"
        raise ScriptError("RuntimeError", message)
    scores, labels = np.atleast_2d(self.array), np.atleast_2d(target.array)
    losses = np.array([_multilabel(row, label) for row, label in zip(scores, labels)])
    losses = losses.astype(scores.dtype)
    if reduction == NONE and self.array.ndim < 2:
        return wrap(losses[0])
    return reduced(losses, reduction)


def _multilabel(row: np.ndarray, label: np.ndarray) -> float:
    ends = np.flatnonzero(label < 0)
    wanted = label[: ends[0]] if ends.size else label
    others = np.delete(row, wanted)
    excess = np.maximum(1 - (row[wanted][:, np.newaxis] - others), 0)
    return float(excess.sum()) / len(row)


out_forms(
    same("expected scalar type {result} but found {out}"),
    "multi_margin_loss multilabel_margin_loss",
)
