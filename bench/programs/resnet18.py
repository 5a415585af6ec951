"""A forward pass of the shape of ResNet-18: weights come in a list, in the order in which they are used."""
from typing import List, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor


def take(weights: List[Tensor], position: int) -> Tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """A convolution's kernel, and the scale, shift, mean and variance of the batch norm behind it."""
    return (
        weights[position],
        weights[position + 1],
        weights[position + 2],
        weights[position + 3],
        weights[position + 4],
    )


def conv_norm(x: Tensor, weights: List[Tensor], position: int, stride: int, padding: int) -> Tensor:
    kernel, scale, shift, mean, variance = take(weights, position)
    x = F.conv2d(x, kernel, stride=stride, padding=padding)
    return F.batch_norm(x, mean, variance, scale, shift)


def basic_block(x: Tensor, weights: List[Tensor], position: int, stride: int) -> Tuple[Tensor, int]:
    y = F.relu(conv_norm(x, weights, position, stride, 1))
    y = conv_norm(y, weights, position + 5, 1, 1)
    position += 10
    if stride != 1:
        x = conv_norm(x, weights, position, stride, 0)
        position += 5
    return F.relu(y + x), position


def forward(x: Tensor, weights: List[Tensor]) -> Tensor:
    x = F.relu(conv_norm(x, weights, 0, 2, 3))
    x = F.max_pool2d(x, 3, 2, 1)
    position = 5
    for stage in range(4):
        for block in range(2):
            stride = 2 if stage > 0 and block == 0 else 1
            x, position = basic_block(x, weights, position, stride)
    x = F.adaptive_avg_pool2d(x, [1, 1]).flatten(1)
    return F.linear(x, weights[position], weights[position + 1])


def conv_weights(outputs: int, inputs: int, size: int) -> List[Tensor]:
    kernel = torch.randn(outputs, inputs, size, size) * (2.0 / (inputs * size * size)) ** 0.5
    return [kernel, torch.ones(outputs), torch.zeros(outputs), torch.zeros(outputs), torch.ones(outputs)]


def make_weights(classes: int) -> List[Tensor]:
    weights = conv_weights(64, 3, 7)
    inputs = 64
    for stage in range(4):
        outputs = 64 << stage
        for block in range(2):
            first = inputs if block == 0 else outputs
            weights.extend(conv_weights(outputs, first, 3))
            weights.extend(conv_weights(outputs, outputs, 3))
            if stage > 0 and block == 0:
                weights.extend(conv_weights(outputs, inputs, 1))
        inputs = outputs
    weights.extend([torch.randn(classes, inputs) * 0.05, torch.zeros(classes)])
    return weights


def example(seed: int, batch: int, size: int) -> Tuple[Tensor, List[Tensor]]:
    torch.manual_seed(seed)
    return torch.randn(batch, 3, size, size), make_weights(1000)
