"""Gradients of activations, dropout and softmax."""

from typing import Final

FORMULAS: Final = """
sigmoid
    self: grad * ((1 - result) * result).conj()
relu
    self: grad * (result > 0)
relu6
    self: grad * ((self > 0) & (self < 6))
silu
    self: grad * silu_slope(self)
mish
    self: grad * mish_slope(self)
hardswish
    self: torch.where(self < -3, torch.zeros_like(grad), torch.where(self <= 3, grad * (self / 3 + 0.5), grad))
hardsigmoid
    self: torch.where((self > -3) & (self < 3), grad / 6, torch.zeros_like(grad))
hardtanh
    self: grad * ((self > min_val) & (self < max_val))
gelu
    self: gelu_gradient(grad, self, approximate)
elu
    self: elu_gradient(grad, self, alpha, scale, input_scale)
selu
    self: elu_gradient(grad, self, 1.6732632423543772, 1.0507009873554805, 1)
celu
    self: elu_gradient(grad, self, alpha, 1, 1.0 / float(alpha))
softplus
    self: torch.where(self * beta > threshold, grad, grad * torch.sigmoid(self * beta))
softshrink
    self: torch.where((self > lambd) | (self < -lambd), grad, torch.zeros_like(grad))
hardshrink
    self: torch.where((self > lambd) | (self < -lambd), grad, torch.zeros_like(grad))
leaky_relu
    self: torch.where(self > 0, grad, grad * negative_slope)
rrelu
    self: torch.where(self > 0, grad, grad * (result / self))
threshold
    self: torch.where(self > threshold, grad, torch.zeros_like(grad))
log_sigmoid
    self: grad * torch.sigmoid(-self)
log_sigmoid_forward
    self: grad * torch.sigmoid(-self)
    result1: none
prelu
    self: torch.where(self > 0, grad, grad * prelu_weight(self, weight))
    weight: prelu_weight_gradient(grad, self, weight)
_prelu_kernel
    self: torch.where(self > 0, grad, grad * weight)
    weight: torch.where(self > 0, torch.zeros_like(grad), grad * self)
glu
    self: glu_gradient(grad, self, dim)
softmax.int _softmax special_softmax _safe_softmax
    self: result * (grad - (grad * result).sum(dim, True))
log_softmax.int _log_softmax special_log_softmax
    self: grad - result.exp() * grad.sum(dim, True)
_softmax_backward_data
    = output * (grad_output - (grad_output * output).sum(dim, True))
_log_softmax_backward_data
    = grad_output - output.exp() * grad_output.sum(dim, True)
native_dropout_backward
    grad_output: grad * mask * scale
    mask: none
dropout
    = torch.native_dropout(input, p, train)[0]
feature_dropout
    = input * torch.dropout(feature_ones(input), p, True) if train else input
alpha_dropout
    = alpha_dropped(input, torch.ones_like(input), p) if train and p > 0 else input
feature_alpha_dropout
    = alpha_dropped(input, feature_ones(input), p) if train and p > 0 else input
native_dropout
    result1: none
    input: grad * result1 * (1.0 if train is not None and not train else (0.0 if p == 1 else 1 / (1 - p)))
"""

FUNCTIONS: Final = """
def silu_slope(self: Tensor):
    inner = torch.sigmoid(self)
    return inner * (1 + self * (1 - inner))


def mish_slope(self: Tensor):
    inner = torch.tanh(torch.nn.functional.softplus(self))
    return inner + self * (1 - inner * inner) * torch.sigmoid(self)


def gelu_gradient(grad: Tensor, self: Tensor, approximate: str):
    if approximate == "tanh":
        inner = 0.7978845608028654 * (self + 0.044715 * self * self * self)
        outer = torch.tanh(inner)
        slope = 0.7978845608028654 * (1 + 0.134145 * self * self)
        return grad * (0.5 * (1 + outer) + 0.5 * self * (1 - outer * outer) * slope)
    share = 0.5 * (1 + torch.erf(self * 0.7071067811865476))
    return grad * (share + self * torch.exp(self * self * -0.5) * 0.3989422804014327)


def elu_gradient(grad: Tensor, self: Tensor, alpha: number, scale: number, input_scale: number):
    below = grad * (input_scale * alpha * scale) * torch.exp(self * input_scale)
    return torch.where(self > 0, grad * scale, below)


def prelu_weight(self: Tensor, weight: Tensor):
    if weight.numel() == 1 or self.dim() < 2:
        return weight.reshape([1] * self.dim()) if self.dim() > 0 else weight.reshape(torch.jit.annotate(List[int], []))
    sizes = [1] * self.dim()
    sizes[1] = weight.numel()
    return weight.reshape(sizes)


def prelu_weight_gradient(grad: Tensor, self: Tensor, weight: Tensor):
    below = torch.where(self > 0, torch.zeros_like(grad), grad * self)
    return below.sum_to_size(prelu_weight(self, weight).size()).reshape(weight.size())


def glu_gradient(grad: Tensor, self: Tensor, dim: int):
    first, second = self.chunk(2, dim)
    gate = torch.sigmoid(second)
    return torch.cat([grad * gate, grad * first * gate * (1 - gate)], dim)


def feature_ones(input: Tensor):
    sizes = [input.size(0), input.size(1)] + [1] * (input.dim() - 2)
    return torch.ones(sizes, dtype=input.dtype)


def alpha_dropped(input: Tensor, ones: Tensor, p: float):
    if p == 1:
        return input * 0
    alpha = 1.7580993408473766
    scale = 1 / ((alpha * alpha * p + 1) * (1 - p)) ** 0.5
    noise = ones.detach().bernoulli_(1 - p)
    shift = (noise - 1) * (alpha * scale) + alpha * scale * p
    return input * (noise * scale) + shift
"""
