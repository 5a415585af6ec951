"""Statements of random programs of groups: operators that are made of others, places, and small matrices."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final, Protocol

Shape = tuple[int, ...]


class Writer(Protocol):
    """What writes a program."""

    choose: random.Random
    shapes: dict[str, Shape]

    def parameter(self, shape: Shape) -> str: ...

    def put(self, text: str, shape: Shape) -> None: ...

    def size(self) -> int: ...

    def known(self) -> str: ...


def _composite(writer: Writer) -> None:
    """A loss, attention or a cross product, of tensors that are made if need be."""
    shapes = {name: shape for name, shape in writer.shapes.items() if len(shape) == 2}
    known = [name for name, shape in shapes.items() if all(shape)]
    x = writer.choose.choice(known) if known else writer.parameter((writer.size(), writer.size()))
    rows, columns = writer.shapes[x]
    names, ignored = f"torch.arange({rows}) % {columns}", writer.choose.choice((-100, 0, 1))
    reduction = writer.choose.choice(("mean", "sum", "none"))
    of_loss = (rows,) if reduction == "none" else ()
    mask = f"torch.ones({rows}, {rows}, dtype=torch.bool).tril({writer.choose.randint(-1, 1)})"
    a, b = writer.parameter((rows, 3)), writer.parameter((rows, 3))
    attention = (
        f"torch.scaled_dot_product_attention({x}.unsqueeze(0), {x}.unsqueeze(0), {x}.unsqueeze(0)"
    )
    options = f"ignore_index={ignored}, reduction='{reduction}'"
    writer.put(
        *writer.choose.choice(
            (
                (f"torch.nn.functional.cross_entropy({x}, {names}, {options})", of_loss),
                (f"torch.nn.functional.nll_loss({x}, {names}, {options})", of_loss),
                (f"torch.cross({a}, {b}, dim=1)", (rows, 3)),
                (f"{attention}, {mask})[0]", (rows, columns)),
                (
                    f"{attention}, {writer.parameter((rows, rows))}, scale=0.5)[0]",
                    (rows, columns),
                ),
            )
        )
    )


def _contraction(writer: Writer) -> None:
    """A product by an equation of two or three tensors."""
    name = writer.known()
    shape = writer.shapes[name]
    if not shape or len(shape) > 4:
        return
    extents = dict(zip("abcd", shape)) | {"x": writer.size(), "y": 2}
    first = "abcd"[: len(shape)]
    summed = writer.choose.choice(first)
    kept = "".join(each for each in first if each != summed and writer.choose.random() < 0.5)
    terms = [first, "".join(writer.choose.sample(kept + summed + "x", len(kept) + 2))]
    result = first.replace(summed, "x")
    if writer.choose.random() < 0.3:
        terms.append("xy")
        result = result.replace("x", "y")
    result = "".join(writer.choose.sample(result, len(result)))
    others = [writer.parameter(tuple(extents[each] for each in term)) for term in terms[1:]]
    equation = f"'{','.join(terms)}->{result}'"
    text = f"torch.einsum({equation}, [{', '.join([name, *others])}])"
    writer.put(text, tuple(extents[each] for each in result))


def _places(writer: Writer) -> None:
    """Elements that are put where numbers name rows, or truths choose elements."""
    name = writer.known()
    shape = writer.shapes[name]
    if not shape or not all(shape):
        return
    rows = f"torch.arange({shape[0]}) * 2 % {writer.choose.choice((shape[0], shape[0] + 1))}"
    other = writer.parameter(shape)
    chosen = writer.choose.choice(
        (f"{name} > {other}", f"{other}.select(-1, 0) > {name}.select(-1, 0)")
    )
    made = f"{name} * 1.0"
    writer.put(
        *writer.choose.choice(
            (
                (f"({made}).index_put_([{chosen}], torch.zeros([]).to({name}.dtype))", shape),
                (f"({made}).index_put_([{rows}], {other})", shape),
                (f"({made}).index_put([{rows}], {other}[:1])", shape),
                (f"({made}).index_add_(0, {rows}, {other})", shape),
                (f"({made}).index_add(0, {rows}, {other})", shape),
                (
                    f"torch.zeros_like({name}).scatter_add_(0, {other}.abs().long() % {shape[0]}, {other})",
                    shape,
                ),
                (f"({made}).scatter_(-1, {other}.long() * 0, 0.5)", shape),
            )
        )
    )


def _matrix(writer: Writer) -> None:
    """Of a matrix whose diagonal is far larger than the rest."""
    rows, columns = writer.size(), writer.size()
    square = f"(torch.tanh({writer.parameter((rows, rows))}) * 0.1 + torch.eye({rows}) * 3)"
    x = writer.parameter((rows, columns))
    writer.put(
        *writer.choose.choice(
            (
                (f"torch.inverse({square}.to({x}.dtype))", (rows, rows)),
                (f"torch.linalg.solve({square}.to({x}.dtype), {x})", (rows, columns)),
                (f"torch.linalg.solve({square}.to({x}.dtype), {x}[:, 0])", (rows,)),
                (f"torch.linalg.cholesky({square}.to({x}.dtype))", (rows, rows)),
                (f"torch.log(torch.det({square}.to({x}.dtype)))", ()),
            )
        )
    )


STATEMENTS: Final[tuple[Callable[[Writer], None], ...]] = (
    *(_composite, _contraction, _places, _matrix),
)
