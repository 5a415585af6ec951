"""Windows that go over tensors, laid out as dimensions or columns, and columns put together again."""

from __future__ import annotations

import numpy as np
import onnx_ir as ir

from tsc.runtime.onnx.calls import Call, converts


@converts("aten::unfold")
def unfold(call: Call) -> ir.Value:
    """A dimension of windows in the place of the old one, and their elements in a last one."""
    dim, step = call.dim("dimension"), int(call.constant("step"))
    size, length = int(call.constant("size")), call.fixed_size(call.dim("dimension"))
    starts = np.arange(0, length - size + 1, step)[:, None]
    found = call.op("Gather", call.value(), call.ints(starts + np.arange(size)), axis=dim)
    order = [each for each in range(call.rank() + 1) if each != dim + 1]
    return call.op("Transpose", found, perm=[*order, dim + 1])


def _positions(call: Call, place: int) -> np.ndarray:
    """In one dimension of the padded image: a row for each element of a window, a column for each window."""
    kernel, dilation = (call.pair(name, 2)[place] for name in ("kernel_size", "dilation"))
    padding, stride = (call.pair(name, 2)[place] for name in ("padding", "stride"))
    size = call.fixed_size(place - 2) + 2 * padding
    starts = np.arange(0, size - dilation * (kernel - 1), stride)
    return (np.arange(kernel) * dilation)[:, None] + starts


@converts("aten::im2col")
def columns_of_image(call: Call) -> ir.Value:
    padding, lead = call.pair("padding", 2), call.rank() - 3
    edges = [*[0] * (lead + 1), *padding]
    value = call.op("Pad", call.value(), call.ints(edges * 2))
    for place in (0, 1):
        dim = lead + 1 + 2 * place
        value = call.op("Gather", value, call.ints(_positions(call, place)), axis=dim)
    order = [*range(lead + 1), *(lead + each for each in (1, 3, 2, 4))]
    value = call.op("Transpose", value, perm=order)
    rows = call.fixed_size(-3) * int(np.prod(call.pair("kernel_size", 2)))
    return call.op("Reshape", value, call.ints([*[0] * lead, rows, -1]))


@converts("aten::col2im")
def image_of_columns(call: Call) -> ir.Value:
    alone = call.rank() == 2
    value = call.op("Unsqueeze", call.value(), call.ints([0])) if alone else call.value()
    image = call.op(
        *("Col2Im", value, call.ints(call.pair("output_size", 2))),
        call.ints(call.pair("kernel_size", 2)),
        dilations=call.pair("dilation", 2),
        pads=call.pair("padding", 2) * 2,
        strides=call.pair("stride", 2),
    )
    return call.op("Squeeze", image, call.ints([0])) if alone else image
