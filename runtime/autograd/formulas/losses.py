"""Gradients of losses."""

from typing import Final

FORMULAS: Final = """
mse_loss
    = reduced((self - target) * (self - target), reduction)
l1_loss
    = reduced((self - target).abs(), reduction)
smooth_l1_loss
    = reduced(smooth_l1(self - target, beta), reduction)
huber_loss
    = reduced(huber(self - target, delta).to(self.dtype), reduction)
binary_cross_entropy
    = reduced(binary_entropy(self, target, weight), reduction)
binary_cross_entropy_with_logits
    = reduced(logit_entropy(self, target, weight, pos_weight).to(target.dtype), reduction)
kl_div
    = kl_div_of(self, target, reduction, log_target)
soft_margin_loss
    = reduced(torch.nn.functional.softplus(-target * self, 1, 1000000).to(self.dtype), reduction)
hinge_embedding_loss
    = reduced(torch.where(target != 1, (margin - self).clamp_min(0), torch.zeros_like(self)) + torch.where(target != -1, self, torch.zeros_like(self)), reduction)
poisson_nll_loss
    = poisson_of(input, target, log_input, full, eps, reduction)
cosine_embedding_loss
    = cosine_embedding_of(input1, input2, target, margin, reduction)
margin_ranking_loss
    = reduced((-target * (input1 - input2) + margin).clamp_min(0), reduction)
triplet_margin_loss
    = triplet_of(anchor, positive, negative, margin, p, eps, swap, reduction)
multi_margin_loss
    = multi_margin_of(self, target, float(p), float(margin), weight, reduction)
multilabel_margin_loss
    == multilabel_of(self, target, reduction)
nll_loss nll_loss2d nll_loss_nd
    target: none
    self: nll_gradient(grad, self, target, weight, reduction, ignore_index)
cross_entropy_loss
    = cross_entropy_of(self, target, weight, reduction, ignore_index, label_smoothing)
"""

FUNCTIONS: Final = """
def reduced(loss: Tensor, reduction: int):
    if reduction == 1:
        return loss.mean()
    return loss.sum() if reduction == 2 else loss


def smooth_l1(apart: Tensor, beta: float):
    size = apart.abs()
    if beta == 0:
        return size
    return torch.where(size < beta, 0.5 * apart * apart / beta, size - 0.5 * beta)


def huber(apart: Tensor, delta: float):
    size = apart.abs()
    return torch.where(size <= delta, 0.5 * apart * apart, delta * (size - 0.5 * delta))


def binary_entropy(self: Tensor, target: Tensor, weight: Optional[Tensor]):
    here = torch.log(self).clamp_min(-100)
    there = torch.log1p(-self).clamp_min(-100)
    loss = (target - 1) * there - target * here
    return loss if weight is None else loss * weight


def logit_entropy(self: Tensor, target: Tensor, weight: Optional[Tensor], pos_weight: Optional[Tensor]):
    logs = torch.nn.functional.logsigmoid(self)
    if pos_weight is None:
        loss = (1 - target) * self - logs
    else:
        loss = (1 - target) * self - ((pos_weight - 1) * target + 1) * logs
    return loss if weight is None else loss * weight


def kl_div_of(self: Tensor, target: Tensor, reduction: int, log_target: bool):
    if log_target:
        return reduced(target.exp() * (target - self), reduction)
    return reduced(torch.xlogy(target, target) - target * self, reduction)


def poisson_of(input: Tensor, target: Tensor, log_input: bool, full: bool, eps: float, reduction: int):
    loss = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        more = target * target.log() - target + 0.5 * (2 * 3.141592653589793 * target).log()
        loss = loss + more.masked_fill(target <= 1, 0)
    return reduced(loss, reduction)


def cosine_embedding_of(input1: Tensor, input2: Tensor, target: Tensor, margin: float, reduction: int):
    dim = target.dim()
    product = (input1 * input2).sum(dim)
    first = (input1 * input1).sum(dim) + 1e-8
    second = (input2 * input2).sum(dim) + 1e-8
    angle = product / (first * second).sqrt()
    nothing = torch.zeros_like(angle)
    alike = torch.where(target == 1, 1 - angle, nothing)
    return reduced(alike + torch.where(target == -1, (angle - margin).clamp_min(0), nothing), reduction)


def triplet_of(anchor: Tensor, positive: Tensor, negative: Tensor, margin: float, p: float, eps: float, swap: bool, reduction: int):
    near = torch.pairwise_distance(anchor, positive, p, eps)
    far = torch.pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = torch.min(far, torch.pairwise_distance(positive, negative, p, eps))
    return reduced((near - far + margin).clamp_min(0), reduction)


def multi_margin_of(self: Tensor, target: Tensor, p: float, margin: float, weight: Optional[Tensor], reduction: int):
    rows = self.reshape(1, -1) if self.dim() < 2 else self
    places = target.reshape(-1, 1)
    own = rows.gather(1, places)
    loss = (margin - own + rows).clamp_min(0)
    if p == 2:
        loss = loss * loss
    if weight is not None:
        loss = loss * weight.index_select(0, places.reshape(-1)).unsqueeze(1)
    loss = loss.scatter(1, places, 0).sum(1) / rows.size(1)
    return reduced(loss.reshape(target.size()) if reduction == 0 else loss, reduction)


def multilabel_of(self: Tensor, target: Tensor, reduction: int):
    rows = self.reshape(1, -1) if self.dim() < 2 else self
    places = target.reshape(rows.size())
    valid = (places < 0).to(torch.int64).cumsum(1) == 0
    safe = places.masked_fill(~valid, 0)
    is_target = torch.zeros_like(rows).scatter_add(1, safe, valid.to(rows.dtype)) > 0
    own = rows.gather(1, safe)
    loss = (1 - (own.unsqueeze(2) - rows.unsqueeze(1))).clamp_min(0)
    wanted = valid.unsqueeze(2) & (~is_target).unsqueeze(1)
    loss = torch.where(wanted, loss, torch.zeros_like(loss)).sum([1, 2]) / rows.size(1)
    return reduced(loss.reshape(torch.jit.annotate(List[int], [])) if self.dim() < 2 and reduction == 0 else loss, reduction)


def nll_gradient(grad: Tensor, self: Tensor, target: Tensor, weight: Optional[Tensor], reduction: int, ignore_index: int):
    dim = 0 if self.dim() == 1 else 1
    counted = (target != ignore_index)
    places = target.masked_fill(~counted, 0)
    share = counted.to(grad.dtype)
    if weight is not None:
        share = share * weight.index_select(0, places.reshape(-1)).reshape(places.size())
    given = grad * share
    if reduction == 1:
        given = given / share.sum()
    return -grad.new_zeros(self.size()).scatter(dim, places.unsqueeze(dim), given.unsqueeze(dim))


def cross_entropy_of(self: Tensor, target: Tensor, weight: Optional[Tensor], reduction: int, ignore_index: int, label_smoothing: float):
    dim = 0 if self.dim() == 1 else 1
    logs = torch.log_softmax(self, dim)
    count = self.size(dim)
    shape = [1] * self.dim()
    shape[dim] = count
    if target.size() == self.size():
        wanted = target
        if label_smoothing > 0:
            wanted = target * (1 - label_smoothing) + label_smoothing / count
        loss = logs * wanted if weight is None else logs * wanted * weight.reshape(shape)
        if reduction == 1:
            return -loss.sum() / max(1, self.numel() // count)
        return -loss.sum() if reduction == 2 else -loss.sum(dim)
    plain = torch.ops.aten.nll_loss_nd(logs, target, weight, reduction, ignore_index)
    if label_smoothing == 0:
        return plain
    counted = target != ignore_index
    smooth = -logs.sum(dim) if weight is None else -(logs * weight.reshape(shape)).sum(dim)
    smooth = smooth.masked_fill(~counted, 0)
    if reduction == 1:
        if weight is None:
            smooth = smooth.sum() / counted.sum()
        else:
            places = target.masked_fill(~counted, 0)
            shares = weight.index_select(0, places.reshape(-1)).reshape(places.size()).masked_fill(~counted, 0)
            smooth = smooth.sum() / shares.sum()
    elif reduction == 2:
        smooth = smooth.sum()
    return (1 - label_smoothing) * plain + label_smoothing / count * smooth
"""
