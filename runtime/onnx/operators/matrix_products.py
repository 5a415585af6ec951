"""Matrix products, linear layers and convolutions."""

from __future__ import annotations

from typing import Final

import onnx_ir as ir

from tsc.runtime.onnx.calls import Call, converts
from tsc.runtime.onnx.refusals import Refused

_OF_ROWS: Final = ("float16", "float32", "float64")
"""Dtypes that runtimes multiply rows of."""


@converts("aten::mm", "aten::bmm", "aten::matmul")
def matrix_product(call: Call) -> ir.Value:
    other = "mat2" if "mat2" in call.arguments else "other"
    return call.op("MatMul", call.value(), call.value(other))


@converts("aten::addmm")
def added_product(call: Call) -> ir.Value:
    product = call.op("MatMul", *(call.value(each, call.dtype) for each in ("mat1", "mat2")))
    if call.constant("alpha") != 1:
        product = call.op("Mul", product, call.value("alpha", call.dtype))
    added = call.value(dtype=call.dtype)
    if call.constant("beta") != 1:
        added = call.op("Mul", added, call.value("beta", call.dtype))
    return call.op("Add", product, added)


@converts("aten::linear")
def linear(call: Call) -> ir.Value:
    """The product of rows where it can be: it takes the weight as it lies, of which no runtime makes a turned copy."""
    if call.rank("weight") != 2:
        raise Refused("the weight is no matrix", "give it two dimensions")
    if call.dtype in _OF_ROWS and call.rank("input") >= 2:
        return _linear_of_rows(call)
    weight = call.op("Transpose", call.value("weight"), perm=[1, 0])
    product = call.op("MatMul", call.value("input"), weight)
    return call.op("Add", product, call.value("bias")) if call.given("bias") else product


def _linear_of_rows(call: Call) -> ir.Value:
    value, rank = call.value("input"), call.rank("input")
    columns, width = call.fixed_sizes("weight")
    rows = value if rank == 2 else call.op("Reshape", value, call.ints([-1, width]))
    bias = [call.value("bias")] if call.given("bias") else []
    product = call.op("Gemm", rows, call.value("weight"), *bias, transB=1)
    if rank == 2:
        return product
    return call.op("Reshape", product, _sizes_of_rows(call, value, columns), allowzero=1)


def _sizes_of_rows(call: Call, value: ir.Value, columns: int) -> ir.Value:
    sizes = call.known("input").size[:-1]
    if all(isinstance(each, int) for each in sizes):
        return call.ints([*sizes, columns])
    return call.op("Concat", call.op("Shape", value, end=-1), call.ints([columns]), axis=0)


@converts("aten::convolution", "aten::_convolution", "aten::_convolution.deprecated")
def convolution(call: Call) -> ir.Value:
    if call.constant("transposed"):
        return _transposed(call, call.pair("output_padding", call.rank("weight") - 2))
    return _convolution(call)


@converts("aten::conv1d", "aten::conv2d", "aten::conv3d")
def convolution_of_dimensions(call: Call) -> ir.Value:
    return _convolution(call)


@converts("aten::conv1d.padding", "aten::conv2d.padding", "aten::conv3d.padding")
def padded_convolution(call: Call) -> ir.Value:
    """`same` puts the odd one of an odd count of edges at the end."""
    count = call.rank("weight") - 2
    inputs, attributes = _parts(call, [0] * count)
    if call.constant("padding") == "same":
        kernels = [call.fixed_size(2 + place, "weight") for place in range(count)]
        whole = [d * (k - 1) for d, k in zip(call.pair("dilation", count), kernels)]
        attributes["pads"] = [*(each // 2 for each in whole), *(-(-each // 2) for each in whole)]
    return _unbatched(call, "Conv", inputs, attributes)


@converts(
    *("aten::conv_transpose1d", "aten::conv_transpose2d.input", "aten::conv_transpose3d.input")
)
def transposed_convolution(call: Call) -> ir.Value:
    return _transposed(call, call.pair("output_padding", call.rank("weight") - 2))


def _convolution(call: Call) -> ir.Value:
    inputs, attributes = _parts(call)
    return _unbatched(call, "Conv", inputs, attributes)


def _transposed(call: Call, output_padding: list[int]) -> ir.Value:
    inputs, attributes = _parts(call)
    attributes["output_padding"] = output_padding
    return _unbatched(call, "ConvTranspose", inputs, attributes)


def _parts(
    call: Call, padding: list[int] | None = None
) -> tuple[list[ir.Value], dict[str, object]]:
    """What a convolution reads, and its attributes; without a `padding`, that of the call."""
    count = call.rank("weight") - 2
    if padding is None:
        padding = call.pair("padding", count)
    inputs = [call.value("input"), call.value("weight")]
    if call.given("bias"):
        inputs.append(call.value("bias"))
    return inputs, {
        "strides": call.pair("stride", count),
        "pads": padding * 2,
        "dilations": call.pair("dilation", count),
        "group": int(call.constant("groups")),
    }


def _unbatched(
    call: Call, kind: str, inputs: list[ir.Value], attributes: dict[str, object]
) -> ir.Value:
    """ONNX wants a batch, PyTorch takes an image alone."""
    if call.rank("input") == call.rank("weight"):
        return call.op(kind, *inputs, **attributes)
    batch = call.op("Unsqueeze", inputs[0], call.ints([0]))
    return call.op("Squeeze", call.op(kind, batch, *inputs[1:], **attributes), call.ints([0]))
