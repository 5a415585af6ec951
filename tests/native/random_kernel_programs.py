"""Random programs of operators that have kernels of native code under every plan, on tensors of all layouts.

Convolutions, pooling, resampling, dense and recurrent layers, attention, running results, orders, and sums of rows:
each statement makes its own operands, of sizes around those of vectors and tiles.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from .random_composites import Shape
from .random_group_programs import GroupProgram, ProgramWriter, counts_of_windows

_SIZES: Final = (1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 33)
_GATES: Final = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}
_MODES: Final = {1: ("linear",), 2: ("bilinear", "bicubic"), 3: ("trilinear",)}
"""Of resampling, by how many dimensions there are."""


def _size(writer: ProgramWriter) -> int:
    return writer.choose.choice(_SIZES)


def _numbers(writer: ProgramWriter, count: int, low: int, high: int) -> list[int]:
    return [writer.choose.randint(low, high) for _ in range(count)]


def _convolution(writer: ProgramWriter) -> None:
    spatial = writer.choose.choice((1, 2, 2, 3))
    groups = writer.choose.choice((1, 1, 1, 2, 5))
    channels, outputs = (groups * writer.choose.randint(1, most) for most in (4, 18))
    extents = tuple(_numbers(writer, spatial, 3, 24 // spatial + 4))
    kernel, stride = (tuple(_numbers(writer, spatial, 1, 3)) for _ in range(2))
    padding, dilation = _numbers(writer, spatial, 0, 2), _numbers(writer, spatial, 1, 2)
    x = writer.parameter((writer.choose.randint(1, 3), channels, *extents))
    bias = writer.parameter((outputs,)) if writer.choose.random() < 0.7 else "None"
    options = f"{[*stride]}, {padding}, {dilation}"
    if writer.choose.random() < 0.3:
        weight = writer.parameter((channels, outputs // groups, *kernel))
        options = f"{[*stride]}, {padding}, 0, {groups}, {dilation}"
        writer.put(f"torch.conv_transpose{spatial}d({x}, {weight}, {bias}, {options})", ())
        return
    weight = writer.parameter((outputs, channels // groups, *kernel))
    writer.put(f"torch.conv{spatial}d({x}, {weight}, {bias}, {options}, {groups})", ())


def _pooling(writer: ProgramWriter) -> None:
    spatial = writer.choose.choice((1, 2, 2, 3))
    extents = tuple(_numbers(writer, spatial, 3, 24 // spatial + 4))
    x = writer.parameter((*_numbers(writer, 2, 1, 5), *extents))
    kernel, stride = _numbers(writer, spatial, 1, 4), _numbers(writer, spatial, 1, 3)
    padding = [writer.choose.randint(0, size // 2) for size in kernel]
    if min(counts_of_windows(extents, kernel, stride, padding, [1] * spatial)) == 0:
        return
    sizes, flag = _numbers(writer, spatial, 1, 9), writer.choose.choice(("True", "False"))
    functional = "torch.nn.functional"
    options = f"{kernel}, {stride}, {padding}"
    writer.put(
        writer.choose.choice(
            (
                f"{functional}.max_pool{spatial}d({x}, {options})",
                f"{functional}.avg_pool{spatial}d({x}, {options}, {flag}, {flag})",
                f"{functional}.adaptive_avg_pool{spatial}d({x}, {sizes})",
            )
        ),
        (),
    )


def _resampling(writer: ProgramWriter) -> None:
    spatial = writer.choose.choice((1, 2, 2, 3))
    x = writer.parameter((*_numbers(writer, 2, 1, 4), *_numbers(writer, spatial, 2, 9)))
    mode, sizes = writer.choose.choice(_MODES[spatial]), _numbers(writer, spatial, 1, 17)
    aligned = writer.choose.choice(("True", "False"))
    options = f"size={sizes}, mode='{mode}', align_corners={aligned}"
    writer.put(f"torch.nn.functional.interpolate({x}, {options})", ())


def _dense(writer: ProgramWriter) -> None:
    rows, inner, outputs = _size(writer), _size(writer), _size(writer)
    x, weight = writer.parameter((rows, inner)), writer.parameter((outputs, inner))
    bias = writer.parameter((outputs,))
    batch = writer.parameter((writer.choose.randint(1, 3), rows, inner))
    writer.put(
        writer.choose.choice(
            (
                f"torch.nn.functional.linear({x}, {weight}, {bias})",
                f"torch.nn.functional.linear({batch}, {weight})",
                f"torch.addmm({bias}, {x}, {weight}.t())",
                f"torch.mm({x}, {weight}.t())",
                f"torch.matmul({batch}, {weight}.t())",
            )
        ),
        (),
    )


def _recurrent(writer: ProgramWriter) -> None:
    kind = writer.choose.choice((*_GATES,))
    size, inputs, batch, steps = _size(writer), _size(writer), *_numbers(writer, 2, 1, 9)
    layers, ways = writer.choose.choice((1, 1, 2)), writer.choose.choice((1, 1, 2))
    gates, biases = _GATES[kind] * size, writer.choose.random() < 0.7
    weights: list[str] = []
    for layer in range(layers):
        for _ in range(ways):
            wide = inputs if layer == 0 else ways * size
            shapes: list[Shape] = [
                (gates, wide),
                (gates, size),
                *([(gates,)] * 2 if biases else []),
            ]
            weights += [writer.parameter(shape) for shape in shapes]
    x = writer.parameter((steps, batch, inputs))
    state = writer.parameter((layers * ways, batch, size))
    states = f"[{state}, {writer.parameter((layers * ways, batch, size))}]"
    first = writer.choose.random() < 0.3
    options = f"{biases}, {layers}, 0.0, False, {ways == 2}, {first}"
    given = f"{x}.transpose(0, 1)" if first else x
    states = states if kind == "lstm" else state
    writer.put(f"torch.{kind}({given}, {states}, [{', '.join(weights)}], {options})[0]", ())


def _attention(writer: ProgramWriter) -> None:
    heads, queries, keys = writer.choose.randint(1, 3), *(_size(writer) for _ in range(2))
    size, wide = _size(writer), _size(writer)
    q, k = writer.parameter((1, heads, queries, size)), writer.parameter((1, heads, keys, size))
    v = writer.parameter((1, heads, keys, wide))
    mask = writer.choose.choice(
        ("None", writer.parameter((queries, keys)), "None, 0.0, True", "None, scale=0.3")
    )
    writer.put(f"torch.scaled_dot_product_attention({q}, {k}, {v}, {mask})", ())


def _running(writer: ProgramWriter) -> None:
    shape = tuple(_size(writer) for _ in range(writer.choose.randint(1, 3)))
    x, axis = writer.parameter(shape), writer.choose.randrange(len(shape))
    writer.put(
        writer.choose.choice(
            (
                f"torch.cumsum({x}, {axis})",
                f"torch.cumprod({x}, {axis})",
                f"torch.cummax({x}, {axis})",
                f"torch.cummin({x}, {axis})",
            )
        ),
        (),
    )


def _order(writer: ProgramWriter) -> None:
    shape = tuple(_size(writer) for _ in range(writer.choose.randint(1, 3)))
    x, axis = writer.parameter(shape), writer.choose.randrange(len(shape))
    largest, count = writer.choose.choice(("True", "False")), writer.choose.randint(1, shape[axis])
    writer.put(
        writer.choose.choice(
            (
                f"torch.sort({x}, {axis}, {largest})[0]",
                f"torch.topk({x}, {count}, {axis}, {largest})[0]",
                f"torch.gather({x}, {axis}, torch.argsort({x}, {axis}, {largest}))",
            )
        ),
        (),
    )


def _rows(writer: ProgramWriter) -> None:
    rows, columns, count = (_size(writer) for _ in range(3))
    x, added = writer.parameter((rows, columns)), writer.parameter((count, columns))
    names = f"(torch.arange({count}) * 5 % {rows})"
    writer.put(
        writer.choose.choice(
            (
                f"torch.index_add({x}, 0, {names}, {added})",
                f"torch.index_put({x}, [{names}], {added}, True)",
                f"{x}.t().contiguous()",
                f"torch.embedding_bag({x}, {names}, torch.tensor([0, {count // 2}]), False, 1)[0]",
                f"torch.nn.functional.layer_norm({x}, [{columns}], {x}[0], {x}[-1])",
                f"torch.nn.functional.batch_norm({x}, {x}[0], {x}[-1].abs(), {x}[0], None)",
            )
        ),
        (),
    )


_STATEMENTS: Final[tuple[Callable[[ProgramWriter], None], ...]] = (
    *(_convolution, _convolution, _pooling, _resampling, _dense),
    *(_recurrent, _attention, _running, _order, _rows),
)


def kernel_program(seed: int) -> GroupProgram:
    """The program of a seed, always the same: a function of tensors that returns what each statement gives."""
    choose = random.Random(seed)
    dtype = choose.choice(("float32", "float32", "float64", "float16", "bfloat16"))
    writer = ProgramWriter(choose, exact=False, dtype=dtype)
    while writer.count < 2:
        choose.choice(_STATEMENTS)(writer)
    return writer.program([f"t{number}" for number in range(1, writer.count + 1)])
