"""Losses."""

from __future__ import annotations

import math
from typing import Any

from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.rules.forms import (
    CONTIGUOUS,
    CPU,
    INT64,
    STRIDED,
    chosen,
    counted,
    full,
    otherwise,
    reduced,
    scalar,
)
from tsc.runtime.exporting.decomposition.table import decomposes


@decomposes("mse_loss")
def mse_loss(call: Calls, x: Any, target: Any, reduction: int) -> Any:
    error = call("sub.Tensor", x, target)
    return reduced(call, call("pow.Tensor_Scalar", error, 2), reduction)


@decomposes("l1_loss")
def l1_loss(call: Calls, x: Any, target: Any, reduction: int) -> Any:
    return reduced(call, call("abs", call("sub.Tensor", x, target)), reduction)


@decomposes("smooth_l1_loss")
def smooth_l1_loss(call: Calls, x: Any, target: Any, reduction: int, beta: float) -> Any:
    error = call("abs", call("sub.Tensor", x, target))
    if beta == 0:
        return reduced(call, error, reduction)
    small = call("lt.Scalar", error, beta)
    square = call("mul.Tensor", call("pow.Tensor_Scalar", error, 2), 0.5)
    inner = call("div.Tensor", square, beta)
    outer = call("sub.Tensor", error, 0.5 * beta)
    return reduced(call, call("where.self", small, inner, outer), reduction)


@decomposes("huber_loss")
def huber_loss(call: Calls, x: Any, target: Any, reduction: int, delta: float) -> Any:
    error = call("abs", call("sub.Tensor", x, target))
    small = call("lt.Scalar", error, delta)
    inner = call("mul.Tensor", call("mul.Tensor", error, 0.5), error)
    outer = call("mul.Tensor", call("sub.Tensor", error, 0.5 * delta), delta)
    return reduced(call, call("where.self", small, inner, outer), reduction)


@decomposes("binary_cross_entropy")
def binary_cross_entropy(call: Calls, x: Any, target: Any, weight: Any, reduction: int) -> Any:
    """Logarithms are at least -100."""
    rest = call("sub.Tensor", target, 1)
    missed = call("maximum", call("log1p", call("neg", x)), full(call, [], -100, x.code))
    first = call("mul.Tensor", rest, missed)
    found = call("maximum", call("log", x), full(call, [], -100, x.code))
    losses = call("sub.Tensor", first, call("mul.Tensor", target, found))
    if weight is not None:
        losses = call("mul.Tensor", losses, weight)
    return reduced(call, losses, reduction)


@decomposes("binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(
    call: Calls, x: Any, target: Any, weight: Any, positive: Any, reduction: int
) -> Any:
    if positive is None:
        first = call("mul.Tensor", call("sub.Tensor", 1, target), x)
        losses = call("sub.Tensor", first, call("log_sigmoid", x))
    else:
        factor = call("mul.Tensor", call("sub.Tensor", positive, 1), target)
        factor = call("add.Tensor", factor, 1)
        first = call("mul.Tensor", call("sub.Tensor", 1, target), x)
        scaled = call("mul.Tensor", factor, call("log_sigmoid", x))
        losses = call("sub.Tensor", first, scaled)
    if weight is not None:
        losses = call("mul.Tensor", losses, weight)
    return reduced(call, losses, reduction)


@decomposes("nll_loss_nd", "nll_loss", "nll_loss2d")
def nll_loss(call: Calls, x: Any, target: Any, weight: Any, reduction: int, ignored: int) -> Any:
    """The negative of what stands in the place of each class; the mean goes by the weights."""
    dim = 0 if x.dim < 2 else 1
    form = None
    if weight is not None:
        sizes = [1] * x.dim
        sizes[dim] = weight.sizes[0]
        form = call("view", weight, sizes) if x.dim > 1 else weight
        x = call("mul.Tensor", x, form)
    safe = otherwise(call, call("ne.Scalar", target, ignored), target, 0)
    places = call("unsqueeze", safe, dim)
    picked = call("neg", call("squeeze.dim", call("gather", x, dim, places), dim))
    losses = otherwise(call, call("ne.Scalar", target, ignored), picked, 0)
    if reduction != 1:
        return reduced(call, losses, reduction)
    if form is not None:
        wide = call("expand", form, x.sizes)
        own = call("squeeze.dim", call("gather", wide, dim, places), dim)
        own = otherwise(call, call("ne.Scalar", target, ignored), own, 0)
        total = call("sum", own)
    else:
        count = call("sum", call("ne.Scalar", target, ignored))
        total = call("_to_copy", count, dtype=x.code, device=CPU)
    return call("div.Tensor", call("sum", losses), total)


@decomposes("cross_entropy_loss")
def cross_entropy_loss(
    call: Calls, x: Any, target: Any, weight: Any, reduction: int, ignored: int, smoothing: float
) -> Any:
    dim = 0 if x.dim < 2 else 1
    logs = call("log_softmax.int", x, dim, x.code)
    if x.value.array.shape == target.value.array.shape:
        return _of_probabilities(call, logs, target, weight, reduction, smoothing, dim)
    found = call("nll_loss_nd", logs, target, weight, reduction, ignored)
    if smoothing == 0:
        return found
    return _smoothed(call, logs, target, weight, reduction, ignored, smoothing, found, dim)


def _of_probabilities(
    call: Calls, logs: Any, target: Any, weight: Any, reduction: int, smoothing: float, dim: int
) -> Any:
    classes = logs.sizes[dim]
    if smoothing:
        target = call("mul.Scalar", target, 1 - smoothing)
        target = call("add.Scalar", target, smoothing / classes)
    products = call("mul.Tensor", logs, target)
    if weight is not None:
        sizes = [1] * logs.dim
        sizes[dim] = weight.sizes[0]
        products = call("mul.Tensor", products, call("view", weight, sizes))
    if reduction == 0:
        return call("neg", call("sum.dim_IntList", products, [dim]))
    total = call("neg", call("sum", products))
    if reduction == 2:
        return total
    count: Any = 1
    for each in logs.sizes:
        count = count * each
    return call("div.Scalar", total, count // classes)


def _smoothed(
    call: Calls,
    logs: Any,
    target: Any,
    weight: Any,
    reduction: int,
    ignored: int,
    smoothing: float,
    found: Any,
    dim: int,
) -> Any:
    classes = logs.sizes[dim]
    if weight is not None:
        sizes = [1] * logs.dim
        sizes[dim] = weight.sizes[0]
        logs = call("mul.Tensor", logs, call("view", weight, sizes))
    losses = call("neg", call("sum.dim_IntList", logs, [dim]))
    hidden = call("eq.Scalar", target, ignored)
    losses = chosen(call, hidden, 0.0, losses)
    if reduction == 1:
        if weight is None:
            count = call("sum", call("bitwise_not", hidden))
            mean = call("div.Tensor", call("sum", losses), count)
        else:
            safe = chosen(call, hidden, 0, target)
            own = call("index_select", weight, 0, call("flatten.using_ints", safe))
            own = chosen(call, call("flatten.using_ints", hidden), 0.0, own)
            mean = call("div.Tensor", call("sum", losses), call("sum", own))
    else:
        mean = reduced(call, losses, reduction)
    share = call("mul.Scalar", mean, smoothing / classes)
    return call("add.Tensor", call("mul.Scalar", found, 1 - smoothing), share)


@decomposes("kl_div")
def kl_div(call: Calls, x: Any, target: Any, reduction: int, log_target: bool) -> Any:
    if log_target:
        error = call("sub.Tensor", target, x)
        losses = call("mul.Tensor", call("exp", target), error)
    else:
        product = call("mul.Tensor", target, x)
        losses = call("sub.Tensor", call("xlogy.Tensor", target, target), product)
    return reduced(call, losses, reduction)


@decomposes("poisson_nll_loss")
def poisson_nll_loss(
    call: Calls, x: Any, target: Any, log_input: bool, full_form: bool, eps: float, reduction: int
) -> Any:
    if log_input:
        product = call("mul.Tensor", target, x)
        losses = call("sub.Tensor", call("exp", x), product)
    else:
        logs = call("log", call("add.Scalar", x, eps))
        losses = call("sub.Tensor", x, call("mul.Tensor", target, logs))
    if full_form:
        losses = call("add.Tensor", losses, _stirling(call, target))
    return reduced(call, losses, reduction)


def _stirling(call: Calls, target: Any) -> Any:
    """The logarithm of the factorial, about, of what is more than 1."""
    product = call("mul.Tensor", target, call("log", target))
    root = call("log", call("mul.Tensor", target, 2 * math.pi))
    found = call("add.Tensor", call("sub.Tensor", product, target), call("mul.Tensor", root, 0.5))
    return chosen(call, call("le.Scalar", target, 1), 0.0, found)


@decomposes("soft_margin_loss")
def soft_margin_loss(call: Calls, x: Any, target: Any, reduction: int) -> Any:
    margin = call("exp", call("mul.Tensor", call("neg", x), target))
    return reduced(call, call("log1p", margin), reduction)


@decomposes("hinge_embedding_loss")
def hinge_embedding_loss(call: Calls, x: Any, target: Any, margin: float, reduction: int) -> Any:
    zeros, ones = _zeros_and(call, x, margin)
    above = call("clamp_min", call("sub.Tensor", ones, x), 0)
    missed = call("where.self", call("ne.Scalar", target, 1), above, zeros)
    found = call("where.self", call("ne.Scalar", target, -1), x, zeros)
    return reduced(call, call("add.Tensor", missed, found), reduction)


def _zeros_and(call: Calls, x: Any, number: float) -> tuple[Any, Any]:
    zeros = call("full_like", x, 0, pin_memory=False, memory_format=CONTIGUOUS)
    options = {"dtype": x.code, "layout": STRIDED, "device": CPU, "pin_memory": False}
    empty = call("empty_permuted", x.sizes, list(range(x.dim)), **options)
    return zeros, call("fill.Scalar", empty, number)


@decomposes("margin_ranking_loss")
def margin_ranking_loss(
    call: Calls, x: Any, other: Any, target: Any, margin: float, reduction: int
) -> Any:
    difference = call("sub.Tensor", x, other)
    product = call("mul.Tensor", call("neg", target), difference)
    losses = call("clamp_min", call("add.Scalar", product, margin), 0)
    return reduced(call, losses, reduction)


@decomposes("cosine_embedding_loss")
def cosine_embedding_loss(
    call: Calls, x: Any, other: Any, target: Any, margin: float, reduction: int
) -> Any:
    dim = target.dim
    products = call("sum.dim_IntList", call("mul.Tensor", x, other), [dim])
    first = _length(call, x, dim)
    second = _length(call, other, dim)
    root = call("sqrt", call("mul.Tensor", first, second))
    cosine = call("div.Tensor", products, root)
    zeros, ones = _zeros_and(call, cosine, 1)
    alike = call("sub.Tensor", ones, cosine)
    apart = call("clamp_min", call("sub.Scalar", cosine, margin), 0)
    found = call("where.self", call("eq.Scalar", target, 1), alike, zeros)
    missed = call("where.self", call("eq.Scalar", target, -1), apart, zeros)
    return reduced(call, call("add.Tensor", found, missed), reduction)


def _length(call: Calls, x: Any, dim: int) -> Any:
    """The square of it, and a little more: 1e-12 as C has it, computed of a float."""
    squares = call("sum.dim_IntList", call("mul.Tensor", x, x), [dim])
    return call("add.Scalar", squares, 9.999999960041972e-13)


@decomposes("triplet_margin_loss")
def triplet_margin_loss(
    call: Calls,
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: float,
    p: float,
    eps: float,
    swap: bool,
    reduction: int,
) -> Any:
    near = call("pairwise_distance", anchor, positive, p, eps)
    far = call("pairwise_distance", anchor, negative, p, eps)
    if swap:
        far = call("minimum", far, call("pairwise_distance", positive, negative, p, eps))
    difference = call("sub.Tensor", call("add.Scalar", near, margin), far)
    return reduced(call, call("clamp_min", difference, 0), reduction)


@decomposes("multi_margin_loss", always=True)
def multi_margin_loss(
    call: Calls, x: Any, target: Any, p: Any, margin: Any, weight: Any, reduction: int
) -> Any:
    x, target = call("atleast_2d", x), call("atleast_1d", target)
    places = call("unsqueeze", target, 1)
    own = call("gather", x, 1, places)
    difference = call("add.Tensor", call("rsub.Scalar", own, float(margin)), x)
    losses = call("clamp_min", difference, 0)
    if p == 2:
        losses = call("mul.Tensor", losses, losses)
    if weight is not None:
        losses = call("mul.Tensor", losses, call("index.Tensor", weight, [places]))
    others = call("ne.Tensor", counted(call, 0, x.sizes[1]), places)
    losses = otherwise(call, others, losses, 0)
    if reduction == 1:
        return call("mean", losses)
    count = losses.sizes[1]
    if reduction == 2:
        return call("div.Tensor", call("sum", losses), count)
    return call("mean.dim", losses, [1])


@decomposes("multilabel_margin_loss")
def multilabel_margin_loss(call: Calls, x: Any, target: Any, reduction: int) -> Any:
    """Targets are numbers of classes up to the first -1; each of them is compared with all other classes.

    What stands behind a -1 is masked, which PyTorch 2.13 forgets in its own decomposition.
    """
    is_row = x.dim < 2
    if is_row:
        x, target = call("unsqueeze", x, 0), call("unsqueeze", target, 0)
    classes = call.settled(x.sizes[1])
    numbers = counted(call, 0, classes)
    ends = call("where.self", call("eq.Scalar", target, -1), numbers, scalar(call, classes, INT64))
    is_told = call("lt.Tensor", numbers, call("amin", ends, [-1], True))
    places = call("where.self", is_told, target, scalar(call, 0, INT64))
    wanted = call("gather", x, -1, places)
    places = call("where.self", is_told, target, scalar(call, -1, INT64))
    is_wanted = call("any.dim", call("eq.Tensor", numbers, call("unsqueeze", places, -1)), 1)
    margin = call("unsqueeze", call("t", wanted), -1)
    error = call("add.Tensor", call("sub.Tensor", 1.0, margin), x)
    error = call("div.Tensor", call("clamp", error, 0), classes)
    error = call("where.self", is_wanted, scalar(call, 0, x.code), error)
    error = otherwise(call, call("unsqueeze", call("t", is_told), -1), error, 0)
    if reduction == 0:
        return call("sum.dim_IntList", error, [0, -1] if not is_row else [])
    if reduction == 1:
        return call("mean", call("sum.dim_IntList", error, [0, -1]))
    return call("sum.dim_IntList", error, [])
