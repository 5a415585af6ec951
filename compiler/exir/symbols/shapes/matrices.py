"""Products of matrices."""

from __future__ import annotations

from typing import Any

from tsc.compiler.exir.symbols.shapes.pointwise import broadcast
from tsc.compiler.exir.symbols.shapes.rules import Call, Size, Sizes, rule


@rule("matmul", "mm", "bmm", "mv", "dot", "vdot", "inner_product", "linalg_matmul")
def _matmul(call: Call) -> Sizes:
    first, second = call.tensors()[:2]
    return product_sizes(call, first, second)


def product_sizes(call: Call, first: Sizes, second: Sizes) -> Sizes:
    """Of a product of matrices: vectors count as rows and columns, leading dimensions are broadcast."""
    call.same(first[-1], second[-2] if len(second) > 1 else second[-1])
    rows = first[-2:-1]
    columns = second[-1:] if len(second) > 1 else []
    return [*broadcast(call, first[:-2], second[:-2]), *rows, *columns]


@rule("addmm", "addbmm", "addmv", "baddbmm")
def _add_product(call: Call) -> Sizes:
    _, first, second = call.tensors()[:3]
    found = product_sizes(call, first, second)
    return found[1:] if call.operator == "aten::addbmm" else found


@rule("linear")
def _linear(call: Call) -> Sizes:
    sizes, weight = call.sizes("input"), call.sizes("weight")
    call.same(sizes[-1], weight[-1])
    return [*sizes[:-1], *weight[:-1]]


@rule("outer", "ger")
def _outer(call: Call) -> Sizes:
    first, second = call.tensors()[:2]
    return [*first, *second]


@rule("scaled_dot_product_attention")
def _attention(call: Call) -> Sizes:
    query, key, value = call.sizes("query"), call.sizes("key"), call.sizes("value")
    call.same(query[-1], key[-1])
    call.same(key[-2], value[-2])
    return [*broadcast(call, query[:-2], value[:-2]), query[-2], value[-1]]


@rule("einsum")
def _einsum(call: Call) -> Sizes:
    equation = str(call.get("equation")).replace(" ", "")
    if "." in equation:
        return _ellipsis(call, equation)
    inputs, _, output = equation.partition("->")
    sizes = _letters(call, inputs.split(","), call.tensors())
    if "->" not in equation:
        output = "".join(each for each in sorted(sizes) if inputs.count(each) == 1)
    return [sizes[each] for each in output]


def _letters(call: Call, inputs: list[str], tensors: list[Sizes]) -> dict[str, Size]:
    found: dict[str, Any] = {}
    for letters, sizes in zip(inputs, tensors, strict=True):
        for letter, size in zip(letters, sizes, strict=True):
            known = found.get(letter, 1)
            found[letter] = broadcast(call, [known], [size])[0]
    return found


def _ellipsis(call: Call, equation: str) -> Sizes:
    """With the dimensions that dots stand for, which are broadcast."""
    inputs, _, output = equation.partition("->")
    tensors, names, dotted = call.tensors(), list[str](), list[Sizes]()
    for letters, sizes in zip(inputs.split(","), list(tensors), strict=True):
        before, dots, after = letters.partition("...")
        end = len(sizes) - len(after)
        dotted.append(sizes[len(before) : end] if dots else [])
        tensors[len(names)] = [*sizes[: len(before)], *sizes[end:]]
        names.append(before + after)
    found = _letters(call, names, tensors)
    if "->" not in equation:
        text = "".join(names)
        output = "..." + "".join(each for each in sorted(found) if text.count(each) == 1)
    before, dots, after = output.partition("...")
    shared = broadcast(call, *dotted) if dots else []
    return [*[found[each] for each in before], *shared, *[found[each] for each in after]]
