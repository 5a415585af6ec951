"""Random programs of operators on small tensors of known shapes, with arguments of all layouts for them.

Exact ones have operators whose results do not depend on the order of sums or on how functions are approximated; the
others have such operators, and none that makes a large difference of a small one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np

from .random_composites import STATEMENTS, Shape
from .random_tensors import COMPLEX, FLOATS, WHOLE, sharing, tensor_of

_ANY: Final = (
    *("({0} + {1})", "({0} - {1})", "({0} * {1})", "({0} * 2)", "({0} + k)", "(3 - {0})"),
    *("torch.maximum({0}, {1})", "torch.minimum({0}, {1})", "torch.add({0}, {1}, alpha=2)"),
    *("torch.relu({0})", "{0}.clamp(-2, 3)", "{0}.clamp_min(0)", "torch.square({0})", "{0}.abs()"),
)
_EXACT: Final = (
    *("torch.where({0} > {1}, {0}, {1})", "({0} < {1})", "({0} == {1})", "({0} >= 1)"),
    *("torch.masked_fill({0}, {1} > 0, 1)", "torch.sign({0})", "({0} * s)", "({0} / 2.0)"),
    *("torch.floor({0})", "torch.round({0})", "torch.trunc({0})", "torch.sqrt({0})", "(-{0})"),
    *("({0} / {1})", "({0} % 3)", "({0} % {1})", "({0} // 3)", "({0} ** 2)", "({0} & {1})"),
    *("({0} | {1})", "({0} ^ {1})", "(~{0})", "torch.isnan({0})", "torch.logical_not({0})"),
    *("{0}.to(torch.{dtype})", "{0}.float()", "{0}.long()", "torch.reciprocal({0})"),
    *("torch.nn.functional.relu6({0})", "torch.threshold({0}, 0.5, 2)", "({0} != s)"),
    *("torch.div({0}, -3, rounding_mode='trunc')", "torch.div({0}, 5, rounding_mode='floor')"),
    *("torch.fmod({0}, 3)", "torch.signbit({0})", "torch.lerp({0}, {1}, 0.5)", "(s / {0})"),
)
_OF_COMPLEX: Final = (
    *("({0} + {1})", "({0} - {1})", "({0} * {1})", "({0} * 2)", "(-{0})", "torch.conj({0})"),
    *("torch.real({0})", "torch.abs({0})", "torch.where({0} == {1}, {0}, {1})", "({0} != {1})"),
    *("torch.view_as_real({0})[..., 1]", "{0}.to(torch.complex128)", "torch.square({0})"),
)
_ROUNDED: Final = (
    *("torch.sigmoid({0})", "torch.tanh({0})", "torch.exp(-torch.abs({0}))", "torch.erf({0})"),
    *("torch.nn.functional.gelu({0})", "torch.nn.functional.silu({0})", "torch.sin({0})"),
    *("torch.log1p(torch.abs({0}))", "torch.rsqrt({0} * {0} + 1)", "torch.cos({0})"),
    *("({0} / ({1} * {1} + 1))", "torch.nn.functional.softplus({0})", "torch.atan({0})"),
    *("torch.nn.functional.leaky_relu({0}, 0.1)", "torch.nn.functional.hardswish({0})"),
    *("torch.nn.functional.elu({0})", "torch.logaddexp({0}, {1})", "({0} * s)"),
)
_WRITES: Final = (
    *("{0}.add_(1)", "{0}.mul_(2)", "{0}.relu_()", "{0}.clamp_(-3, 3)", "{0}.fill_(1)"),
    *("{0}.copy_({1})", "{0}.add_({1})", "{0}.sub_({1})", "{0}.zero_()", "{0}[0] = 1"),
    *("{0}.addcmul_({1}, {1}, value=0.5)", "{0}.lerp_({1}, 0.25)", "{0}.neg_().abs_()"),
    *("{0}.masked_fill_({1} > 0, 1)", "{0}.square_().sqrt_()", "{0}.mul_({0})", "{0}.trunc_()"),
    *("{0}[..., -1] = 2", "{0}[..., :1].mul_(3)", "{0} += {1}", "{0}[-1] = {1}[0]"),
    *("{0}[..., 1:] = {1}[..., :-1].clone()", "{0}[0].copy_({1}[-1])", "{0}[::2] = {1}[::2] * 2"),
    *("{0}[..., 0] = s", "{0}[-1] = k", "{0}[..., 0].add_({1}[..., 0]).mul_(2)", "{0}[:1].zero_()"),
    *("{0}.unsqueeze(0)[0, ..., :1] = {1}[..., :1] - 1", "{0}[0, ..., -1] = {1}[..., 0].amax()"),
    *("{0}.transpose(0, -1)[0] = 3", "{0}.view({0}.size(0), -1)[:, 0].fill_(2)"),
)
_OVER_ROWS: Final = (
    *("torch.softmax({0}, {1})", "torch.log_softmax({0}, {1})", "{0}.cumsum({1})"),
    "torch.nn.functional.layer_norm({0}, [{2}], None, None, 1.0)",
)
_SUMS: Final = (
    *("{0}.sum({1})", "{0}.mean({1})", "{0}.var({1}, unbiased=False)", "{0}.logsumexp({1})"),
    "{0}.norm(2, {1})",
)
_EXTREMES: Final = ("{0}.amax({1})", "{0}.amin({1})")


@dataclass
class GroupProgram:
    """A function ``f``, and the shapes and dtypes of its tensors, before a float and an int."""

    source: str
    parameters: list[tuple[Shape, str]]
    exact: bool

    def arguments(self, choose: random.Random) -> list[Any]:
        """Of all layouts; some share memory, and now and then one has another shape or dtype, which may not fit."""
        values = np.random.default_rng(choose.randrange(1 << 30))
        made: list[Any] = []
        for shape, dtype in self.parameters:
            alike = [
                place
                for place, known in enumerate(self.parameters[: len(made)])
                if known == (shape, dtype)
            ]
            if alike and choose.random() < 0.2:
                made.append(sharing(choose, made, choose.choice(alike)))
                continue
            odd = choose.random() < 0.02
            sizes = tuple(choose.randint(0, 4) for _ in shape) if odd else shape
            other = self.exact and dtype not in COMPLEX and choose.random() < 0.02
            dtype = choose.choice((*FLOATS, *WHOLE)) if other else dtype
            made.append(tensor_of(choose, values, sizes, dtype, exact=self.exact))
        return [*made, choose.choice((0.5, -1.5, 0.0, 3.0)), choose.randint(-3, 4)]


@dataclass
class ProgramWriter:
    """Writes a program, and knows the shapes of its tensors."""

    choose: random.Random
    exact: bool
    dtype: str
    lines: list[str] = field(default_factory=list)
    parameters: list[tuple[Shape, str]] = field(default_factory=list)
    shapes: dict[str, Shape] = field(default_factory=dict)
    count: int = 0

    def parameter(self, shape: Shape) -> str:
        name = f"p{len(self.parameters)}"
        other = self.exact and self.choose.random() < 0.2
        dtype = self.choose.choice((*FLOATS, *WHOLE)) if other else self.dtype
        self.parameters.append((shape, dtype))
        self.shapes[name] = shape
        return name

    def put(self, text: str, shape: Shape) -> None:
        self.count += 1
        name = f"t{self.count}"
        self.lines.append(f"    {name} = {text}")
        self.shapes[name] = shape

    def size(self) -> int:
        return self.choose.choice((1, 2, 3, 4, 5, 7, 8, 17))

    def known(self) -> str:
        """A tensor, one of the last more often."""
        names = [*self.shapes]
        return self.choose.choice(names[-3:] if self.choose.random() < 0.6 else names)

    def alike(self, shape: Shape) -> str:
        """One whose shape fits."""
        names = [name for name, known in self.shapes.items() if known == shape]
        if names and self.choose.random() < 0.7:
            return self.choose.choice(names)
        cut = self.choose.choice((0, 0, 0, len(shape) // 2))
        sizes = [1 if self.choose.random() < 0.15 else size for size in shape[cut:]]
        return self.parameter(tuple(sizes))

    def program(self, shown: Iterable[str]) -> GroupProgram:
        """What was written, as a function that returns the tensors of these names."""
        head = ", ".join(f"p{number}: Tensor" for number in range(len(self.parameters)))
        lines = [f"def f({head}, s: float, k: int):", *self.lines]
        source = "\n".join([*lines, f"    return {', '.join(shown)}", ""])
        return GroupProgram(source, self.parameters, self.exact)

    # -- Statements ----------------------------------------------------------------------------

    def statement(self) -> None:
        steps = [self.pointwise] * 6 + [self.view] * 3 + [self.write, self.extreme, self.joined]
        if not self.exact:
            steps += [self.rows, self.sum, self.product, self.product, self.window, self.window]
            steps += [partial(each, self) for each in STATEMENTS]
        self.choose.choice(steps)()

    def pointwise(self) -> None:
        name = self.known()
        other = self.alike(self.shapes[name])
        forms = (*_ANY, *(_EXACT if self.exact else _ROUNDED))
        forms = _OF_COMPLEX if self.dtype in COMPLEX else forms
        dtype = self.choose.choice((*FLOATS, *WHOLE))
        self.put(self.choose.choice(forms).format(name, other, dtype=dtype), self.shapes[name])

    def write(self) -> None:
        name = self.known()
        form = self.choose.choice(_WRITES)
        self.lines.append("    " + form.format(name, self.alike(self.shapes[name])))

    def axis(self, shape: Shape) -> int:
        return self.choose.randrange(len(shape)) if shape else 0

    def extreme(self) -> None:
        self.reduced(_EXTREMES)

    def sum(self) -> None:
        self.reduced(_SUMS)

    def reduced(self, forms: tuple[str, ...]) -> None:
        name = self.known()
        shape, axis = self.shapes[name], self.axis(self.shapes[name])
        if not shape:
            return
        keep = self.choose.random() < 0.5
        where = f"{axis}, keepdim=True" if keep else str(axis)
        left = (*shape[:axis], *((1,) if keep else ()), *shape[axis + 1 :])
        self.put(self.choose.choice(forms).format(name, where), left)

    def rows(self) -> None:
        name = self.known()
        shape = self.shapes[name]
        if shape:
            axis = self.axis(shape)
            form = self.choose.choice(_OVER_ROWS)
            self.put(form.format(name, axis, shape[-1]), shape)

    def view(self) -> None:
        name = self.known()
        shape, axis = self.shapes[name], self.axis(self.shapes[name])
        if not shape:
            self.put(f"{name}.unsqueeze(0).expand(2, 3)", (2, 3))
            return
        size, rest = shape[axis], (*shape[:axis], *shape[axis + 1 :])
        begin = self.choose.randrange(size) if size else 0
        order = self.choose.sample(range(len(shape)), len(shape))
        at = self.choose.randint(0, len(shape))
        total = int(np.prod(shape))
        self.put(
            *self.choose.choice(
                (
                    (f"{name}.select({axis}, {begin})", rest),
                    (f"{name}.select({axis}, min(max(k, 0), {max(size, 1) - 1}))", rest),
                    (
                        f"{name}.narrow({axis}, {begin}, {size - begin})",
                        _at(shape, axis, size - begin),
                    ),
                    (f"{name}.permute({order})", tuple(shape[each] for each in order)),
                    (f"{name}.transpose(0, {axis})", _swapped(shape, axis)),
                    (f"{name}.unsqueeze({at})", (*shape[:at], 1, *shape[at:])),
                    (f"{name}.reshape(-1)", (total,)),
                    (f"{name}.reshape({[*shape[::-1]]})", shape[::-1]),
                    (f"{name}.expand({[2, *shape]})", (2, *shape)),
                    (f"{name}[::2]", _at(shape, 0, -(-shape[0] // 2))),
                    (f"{name}.contiguous()", shape),
                    (f"{name}.chunk(2, {axis})[0]", _at(shape, axis, -(-size // 2))),
                )
            )
        )

    def joined(self) -> None:
        name = self.known()
        shape, axis = self.shapes[name], self.axis(self.shapes[name])
        other = self.alike(shape)
        if self.shapes[other] != shape or not shape:
            return
        if self.choose.random() < 0.5:
            joined = f"torch.cat([{name}, {other}, {name}], {axis})"
            self.put(joined, _at(shape, axis, 3 * shape[axis]))
        else:
            self.put(f"torch.stack([{name}, {other}], {axis})", (*shape[:axis], 2, *shape[axis:]))

    def product(self) -> None:
        name = self.known()
        shape, wide = self.shapes[name], self.size()
        if not shape:
            return
        inner = shape[-1]
        match self.choose.randrange(4):
            case 0:
                weight, bias = self.parameter((wide, inner)), self.parameter((wide,))
                text = f"torch.nn.functional.linear({name}, {weight}, {bias})"
                self.put(text, (*shape[:-1], wide))
            case 1:
                text = f"torch.matmul({name}, {self.parameter((inner, wide))})"
                self.put(text, (*shape[:-1], wide))
            case 2 if len(shape) == 2:
                bias, weight = self.parameter((wide,)), self.parameter((inner, wide))
                self.put(f"torch.addmm({bias}, {name}, {weight})", (shape[0], wide))
            case _ if len(shape) == 3:
                weight = self.parameter((shape[0], inner, wide))
                self.put(f"torch.bmm({name}, {weight})", (*shape[:2], wide))
            case _:
                self.put(f"torch.matmul({name}, {self.parameter((inner,))})", shape[:-1])

    def window(self) -> None:
        """A convolution of one or two dimensions, or a pooling, of an image that is made if need be."""
        images = [name for name, shape in self.shapes.items() if len(shape) == 4]
        flat = [name for name, shape in self.shapes.items() if len(shape) == 3]
        if self.choose.random() < 0.3 and flat:
            name, spatial = self.choose.choice(flat), 1
        else:
            name, spatial = self.image(images), 2
        shape = self.shapes[name]
        kernel = [self.choose.randint(1, 3) for _ in range(spatial)]
        stride = [self.choose.randint(1, 2) for _ in range(spatial)]
        padding = [self.choose.randint(0, size // 2) for size in kernel]
        if self.choose.random() < 0.4:
            sizes = counts_of_windows(shape[2:], kernel, stride, padding, [1] * spatial)
            way = self.choose.choice(("max", "avg"))
            text = (
                f"torch.nn.functional.{way}_pool{spatial}d({name}, {kernel}, {stride}, {padding})"
            )
            self.put(text, (*shape[:2], *sizes))
            return
        dilation = [self.choose.randint(1, 2) for _ in range(spatial)]
        sizes = counts_of_windows(shape[2:], kernel, stride, padding, dilation)
        groups = self.choose.choice(
            [each for each in (1, 1, 2, shape[1]) if each and shape[1] % each == 0] or [1]
        )
        outputs = groups * self.choose.randint(1, 3)
        weight = self.parameter((outputs, shape[1] // groups, *kernel))
        bias = self.parameter((outputs,)) if self.choose.random() < 0.7 else "None"
        options = f"{stride}, {padding}, {dilation}, {groups}"
        text = f"torch.conv{spatial}d({name}, {weight}, {bias}, {options})"
        self.put(text, (shape[0], outputs, *sizes))

    def image(self, known: list[str]) -> str:
        if known and self.choose.random() < 0.7:
            return self.choose.choice(known)
        sizes = [self.choose.randint(1, most) for most in (2, 4, 9, 9)]
        return self.parameter(tuple(sizes))


LARGE: Final[tuple[Shape, ...]] = (
    *((140_001,), (3, 45_000), (45_000, 3), (701, 190), (2, 300, 231), (5, 1, 27_000)),
    *((1, 131_072), (131_073, 1), (33, 2, 2049), (1, 1, 400, 333), (9, 16, 31, 33)),
)
"""Shapes of tensors that threads share, with extents that blocks of rows and elements do not divide."""


def large_group_program(seed: int) -> GroupProgram:
    """The same of one tensor of many elements, and what is computed of it element by element or row by row."""
    choose = random.Random(seed)
    exact = choose.random() < 0.5
    dtype = choose.choice((*FLOATS, *WHOLE, *COMPLEX) if exact else FLOATS)
    writer = ProgramWriter(choose, exact, dtype)
    writer.parameter(choose.choice(LARGE))
    steps = [writer.pointwise] * 6 + [writer.view, writer.write, writer.extreme]
    steps += [] if exact else [writer.rows, writer.rows, writer.sum, writer.sum]
    for _ in range(choose.randint(1, 5)):
        choose.choice(steps)()
    return writer.program([*writer.shapes][-2:])


def group_program(seed: int) -> GroupProgram:
    """The program of a seed, always the same."""
    choose = random.Random(seed)
    exact = choose.random() < 0.5
    dtype = choose.choice((*FLOATS, *WHOLE, *COMPLEX) if exact else ("float32", "float32", *FLOATS))
    writer = ProgramWriter(choose, exact, dtype)
    writer.parameter(tuple(writer.size() for _ in range(choose.choice((1, 2, 2, 3, 4)))))
    for _ in range(choose.randint(2, 9)):
        writer.statement()
    names = [*writer.shapes]
    shown = dict.fromkeys([*names[-3:], choose.choice(names)])
    if choose.random() < 0.2:
        turns = [f"    for turn in range({choose.randint(0, 3)}):"]
        writer.lines += [*turns, *(f"    {line}" for line in writer.lines[-2:])]
    return writer.program(shown)


def _at(shape: Shape, axis: int, size: int) -> Shape:
    return (*shape[:axis], size, *shape[axis + 1 :])


def _swapped(shape: Shape, axis: int) -> Shape:
    swapped = [*shape]
    swapped[0], swapped[axis] = swapped[axis], swapped[0]
    return tuple(swapped)


def counts_of_windows(
    sizes: Shape, kernel: list[int], stride: list[int], padding: list[int], dilation: list[int]
) -> list[int]:
    """How many windows there are; zero where the program is to fail."""
    return [
        max((size + 2 * pad - spread * (extent - 1) - 1) // step + 1, 0)
        for size, extent, step, pad, spread in zip(sizes, kernel, stride, padding, dilation)
    ]
