"""Shapes of results from shapes of arguments: what a compiler knows of an operator before it runs. Lists of ints only."""
from typing import List, Optional, Tuple


def broadcast(a: List[int], b: List[int]) -> List[int]:
    rank = max(len(a), len(b))
    shape: List[int] = []
    for i in range(rank):
        offset = rank - 1 - i
        at_a, at_b = len(a) - 1 - offset, len(b) - 1 - offset
        size_a = a[at_a] if at_a >= 0 else 1
        size_b = b[at_b] if at_b >= 0 else 1
        if size_a != size_b and size_a != 1 and size_b != 1:
            raise ValueError(f"sizes {size_a} and {size_b} at dimension {i} do not fit")
        shape.append(size_b if size_a == 1 else size_a)
    return shape


def wrap(dim: int, rank: int) -> int:
    rank = max(rank, 1)
    assert -rank <= dim and dim < rank, f"dimension {dim} is out of range for rank {rank}"
    return dim + rank if dim < 0 else dim


def numel(shape: List[int]) -> int:
    total = 1
    for size in shape:
        total *= size
    return total


def matmul(a: List[int], b: List[int]) -> List[int]:
    assert len(a) > 0 and len(b) > 0, "matmul needs at least one dimension"
    left = [1] + a if len(a) == 1 else a
    right = b + [1] if len(b) == 1 else b
    assert left[-1] == right[-2], "inner sizes differ"
    shape = broadcast(left[:-2], right[:-2])
    if len(a) > 1:
        shape.append(left[-2])
    if len(b) > 1:
        shape.append(right[-1])
    return shape


def transpose(shape: List[int], dim0: int, dim1: int) -> List[int]:
    result = shape.copy()
    dim0, dim1 = wrap(dim0, len(shape)), wrap(dim1, len(shape))
    result[dim0], result[dim1] = shape[dim1], shape[dim0]
    return result


def reduce(shape: List[int], dims: Optional[List[int]], keep: bool) -> List[int]:
    if dims is None:
        return [1] * len(shape) if keep else []
    wrapped = [wrap(dim, len(shape)) for dim in dims]
    result: List[int] = []
    for i, size in enumerate(shape):
        if i not in wrapped:
            result.append(size)
        elif keep:
            result.append(1)
    return result


def view(shape: List[int], sizes: List[int]) -> List[int]:
    unknown = -1
    known = 1
    for i, size in enumerate(sizes):
        if size == -1:
            if unknown != -1:
                raise RuntimeError("only one size can be inferred")
            unknown = i
        else:
            known *= size
    result = sizes.copy()
    count = numel(shape)
    if unknown != -1:
        assert known != 0 and count % known == 0, f"{shape} cannot be seen as {sizes}"
        result[unknown] = count // known
    assert numel(result) == count, f"{shape} cannot be seen as {sizes}"
    return result


def cat(shapes: List[List[int]], dim: int) -> List[int]:
    dim = wrap(dim, len(shapes[0]))
    result = shapes[0].copy()
    for shape in shapes[1:]:
        for i in range(len(result)):
            if i == dim:
                result[i] += shape[i]
            else:
                assert result[i] == shape[i], f"sizes differ at dimension {i}"
    return result


def expand(shape: List[int], sizes: List[int]) -> List[int]:
    assert len(sizes) >= len(shape)
    added = len(sizes) - len(shape)
    return [
        sizes[i] if i < added or (sizes[i] != -1 and shape[i - added] == 1) else shape[i - added]
        for i in range(len(sizes))
    ]


def slice_of(shape: List[int], dim: int, start: Optional[int], end: Optional[int], step: int) -> List[int]:
    dim = wrap(dim, len(shape))
    size = shape[dim]
    first = 0 if start is None else start
    last = size if end is None else end
    first = min(max(first + size if first < 0 else first, 0), size)
    last = min(max(last + size if last < 0 else last, first), size)
    result = shape.copy()
    result[dim] = (last - first + step - 1) // step
    return result


def windows(size: int, kernel: int, padding: int, stride: int, dilation: int, ceil_mode: bool) -> int:
    """How many windows fit along one dimension."""
    reach = size + 2 * padding - dilation * (kernel - 1) - 1
    count = (reach + (stride - 1 if ceil_mode else 0)) // stride + 1
    if ceil_mode and (count - 1) * stride >= size + padding:
        count -= 1
    return count


def convolution(
    x: List[int], weight: List[int], stride: List[int], padding: List[int], dilation: List[int], groups: int
) -> List[int]:
    assert len(x) == len(weight), "input and weight differ in rank"
    assert x[1] == weight[1] * groups, "channels do not fit"
    spatial = [
        windows(x[i + 2], weight[i + 2], padding[i], stride[i], dilation[i], False) for i in range(len(x) - 2)
    ]
    return [x[0], weight[0]] + spatial


def max_pool2d(x: List[int], kernel: List[int], stride: List[int], padding: List[int], ceil_mode: bool) -> List[int]:
    steps = kernel if len(stride) == 0 else stride
    last = [windows(x[i - 2], kernel[i], padding[i], steps[i], 1, ceil_mode) for i in range(2)]
    return x[:-2] + last


def linear(x: List[int], weight: List[int], bias: Optional[List[int]]) -> List[int]:
    shape = matmul(x, transpose(weight, 0, 1))
    if bias is not None:
        assert broadcast(bias, shape) == shape
    return shape


def resnet(x: List[int]) -> List[Tuple[str, List[int]]]:
    trace: List[Tuple[str, List[int]]] = []
    x = convolution(x, [64, 3, 7, 7], [2, 2], [3, 3], [1, 1], 1)
    trace.append(("stem", x))
    x = max_pool2d(x, [3, 3], [2, 2], [1, 1], False)
    trace.append(("pool", x))
    channels = 64
    for stage in range(1, 4):
        wider = channels * 2
        x = convolution(x, [wider, channels, 3, 3], [2, 2], [1, 1], [1, 1], 1)
        channels = wider
        trace.append((f"stage {stage}", x))
    x = reduce(x, [-1, -2], False)
    trace.append(("head", linear(x, [1000, channels], [1000])))
    return trace


def main() -> Tuple[List[Tuple[str, List[int]]], List[List[int]]]:
    shapes = [
        broadcast([8, 1, 6, 1], [7, 1, 5]),
        matmul([5, 1, 3, 4], [2, 4, 6]),
        matmul([4], [4]),
        view([2, 3, 4], [-1, 6]),
        cat([[2, 3], [5, 3], [1, 3]], -2),
        expand([3, 1], [2, -1, 7]),
        slice_of([10, 4], 0, -7, None, 3),
        reduce([2, 3, 4], None, True),
    ]
    return resnet([1, 3, 224, 224]), shapes
