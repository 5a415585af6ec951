"""Random programs on tensors, for PyTorch and tsc: pointwise operators, views, writes through views, reductions, jumps.

All tensors fit [2, 3] by broadcasting, so that nearly every program runs to its end.
"""

from __future__ import annotations

from .program_writer import ProgramWriter, Scope, program_of, programs_of

PARAMETERS = {"x": "float32", "y": "float64", "i": "int64", "m": "bool", "r": "float32"}
SHAPES = {"x": [2, 3], "y": [2, 3], "i": [2, 3], "m": [2, 3], "r": [3]}
HEADER = (
    f"def f({', '.join(f'{name}: Tensor' for name in PARAMETERS)}, n: int)"
    " -> Tuple[Tensor, Tensor, Tensor, List[Tensor], int]:"
)

# fmt: off
_UNARY = (
    "abs", "neg", "sin", "cos", "tanh", "sigmoid", "relu", "exp", "floor", "ceil", "round", "sign", "square",
    "clone", "contiguous", "detach", "isnan", "erf", "atan", "bool", "long", "double", "float", "logical_not",
)
# fmt: on
_BINARY = ("+", "-", "*", "<", ">", "<=", ">=", "==", "!=")
_CALLS = ("torch.maximum", "torch.minimum", "torch.atan2", "torch.add", "torch.mul", "torch.sub")
_REDUCTIONS = [
    "sum",
    "mean",
    "amax",
    "amin",
    "prod",
    "any",
    "all",
    "argmax",
    "argmin",
    "std",
    "var",
    "norm",
]
_VIEWS = (
    "[0]",
    "[:, 1:]",
    "[:, :1]",
    "[1:]",
    "[..., -1:]",
    "[None, 0]",
    ".t().t()",
    ".transpose(0, 1).transpose(-1, -2)",
    ".reshape(-1).view(2, 3)",
    ".unsqueeze(0).squeeze(0)",
    ".expand(2, 3)",
    ".flip(1)",
    ".flatten()[:3]",
    ".diagonal()[:1]",
    ".reshape(3, 2).t()",
)
_ALONG = (
    "cumsum(0)",
    "cumsum(1)",
    "sort(1)[0]",
    "double().softmax(-1)",
    "cumprod(1)",
    "roll(1, 0)",
)
_IN_PLACE = ("add_", "mul_", "sub_", "copy_", "fmod_")


class _TensorWriter(ProgramWriter):
    def program(self, statements: int, depth: int) -> str:
        self.lines = [HEADER]
        scope = Scope()
        for name in PARAMETERS:
            scope.add("Tensor", name)
        scope.add("int", "n")
        self.write(1, "parts: List[Tensor] = []")
        self.write(1, "t = x * 1.0")
        scope.add("Tensor", "t")
        for _ in range(statements):
            self.statement(scope, depth, 1)
        self.write(
            1,
            f"return ({self.tensor(scope)}, {self.tensor(scope)}, t, parts, {self.number(scope)})",
        )
        return "\n".join(self.lines) + "\n"

    # -- Expressions ----------------------------------------------------------------------------

    def tensor(self, scope: Scope, depth: int = 2) -> str:
        """An expression whose shape broadcasts to [2, 3]."""
        if depth <= 0 or self.chance(20):
            return self.pick(scope.of("Tensor"))

        def of() -> str:
            return self.tensor(scope, depth - 1)

        match self.integer(0, 15):
            case 0 | 1:
                return f"{of()}.{self.pick(_UNARY)}()"
            case 2 | 3 | 4:
                return f"({of()} {self.pick(_BINARY)} {of()})"
            case 5:
                return f"({of()} {self.pick(_BINARY)} {self.scalar(scope)})"
            case 6:
                return f"{self.pick(_CALLS)}({of()}, {of()})"
            case 7:
                return f"torch.where({of()} > {self.scalar(scope)}, {of()}, {of()})"
            case 8:
                return f"{of()}.clamp({self.integer(-2, 0)}, {self.integer(1, 3)})"
            case 9:
                return f"{self.full(scope)}{self.pick(_VIEWS)}"
            case 10:
                return self.reduction(scope)
            case 11:
                return f"{of()}.to({self.pick(('torch.float64', 'torch.int64', 'torch.float32', 'torch.bool'))})"
            case 12:
                return (
                    f"torch.cat([{self.full(scope)}, {self.full(scope)}])[{self.integer(0, 1)}::2]"
                )
            case 13:
                return f"torch.stack([{self.full(scope)}, {self.full(scope)}]).sum(0)"
            case 14:
                return f"{self.full(scope)}.{self.pick(_ALONG)}"
            case _:
                return f"({self.full(scope)}.double() @ {self.full(scope)}.double().t())[:1, :1]"

    def full(self, scope: Scope) -> str:
        """An expression of the shape [2, 3]."""
        return self.pick(
            ("x", "y", "i", f"({self.tensor(scope, 1)} + x)", f"({self.tensor(scope, 1)} * y)")
        )

    def reduction(self, scope: Scope) -> str:
        name = self.pick(_REDUCTIONS)
        if name in ("any", "all", "argmax", "argmin"):
            return f"{self.full(scope)}.{name}({self.pick(('', '0', '1, True'))})"
        if name == "norm":
            return f"{self.full(scope)}.norm()"
        if name in ("amax", "amin"):
            return f"{self.full(scope)}.{name}({self.pick(('0', '1, True', '[0, 1]'))})"
        return f"{self.full(scope)}.{name}({self.pick(('', '0', '1, keepdim=True'))})"

    def scalar(self, scope: Scope) -> str:
        return self.pick(("0.5", "-1.75", "2", "3", "n", "1.25"))

    def number(self, scope: Scope) -> str:
        return self.pick(
            (
                "n",
                "n + 1",
                f"{self.full(scope)}.size({self.integer(-2, 1)})",
                f"{self.tensor(scope, 1)}.dim()",
                f"{self.tensor(scope, 1)}.numel()",
                "len(parts)",
                "int(i[0, 1]) % 5",
            )
        )

    def condition(self, scope: Scope) -> str:
        return self.pick(
            (
                f"bool(({self.tensor(scope, 1)} > {self.scalar(scope)}).any())",
                f"float(({self.full(scope)}).sum()) > {self.scalar(scope)}",
                f"n > {self.integer(-1, 5)}",
                f"{self.tensor(scope, 1)}.dim() == 2",
                "len(parts) > 1",
            )
        )

    # -- Statements -----------------------------------------------------------------------------

    def statement(self, scope: Scope, depth: int, indent: int) -> bool:
        choice = self.integer(1, 100)
        if choice <= 40:
            self.assignment(scope, indent)
        elif choice <= 60:
            self.write_through(scope, indent)
        elif choice <= 70:
            self.write(indent, f"parts.append({self.tensor(scope)})")
        elif choice <= 76:
            self.write(indent, f"n = {self.number(scope)}")
        elif depth > 0:
            self.pick((self.conditional, self.for_loop))(scope, depth, indent)
        elif scope.in_loop and choice > 94:
            self.write(indent, self.pick(("break", "continue")))
            return True
        else:
            self.assignment(scope, indent)
        return False

    def assignment(self, scope: Scope, indent: int) -> None:
        name = self.pick(("t", "x", "r", "m")) if self.chance(50) else self.fresh("v")
        value = f"{self.full(scope)} * 1" if name == "x" else self.tensor(scope)
        self.write(indent, f"{name} = {value}")
        scope.add("Tensor", name)

    def write_through(self, scope: Scope, indent: int) -> None:
        """A write in place: into a tensor or through a view of it."""
        target = self.pick(("x", "y", "i"))
        value = self.pick((self.scalar(scope), f"({self.tensor(scope, 1)}).to({target}.dtype)"))
        self.write(
            indent,
            self.pick(
                (
                    f"{target}{self.pick(('[0]', '[:, 1:]', '[..., 0]', '[1:]'))} = {self.scalar(scope)}",
                    f"{target}[:, :1] += {self.scalar(scope)}",
                    f"{target}.{self.pick(_IN_PLACE)}(({self.tensor(scope, 1)}).to({target}.dtype) + 1)",
                    f"{target}.t().mul_({self.integer(1, 3)})",
                    f"{target}.masked_fill_({self.tensor(scope, 1)} > 0, {self.integer(-2, 2)})",
                    f"{target}.clamp_({self.integer(-2, 0)}, {self.integer(1, 4)})",
                    f"{target} += {value}",
                    f"{target}.view(-1)[{self.integer(0, 5)}] = {self.integer(-3, 3)}",
                    f"{target}.index_fill_(1, torch.tensor([0, 2]), {self.integer(0, 3)})",
                    f"{target}.zero_()",
                )
            ),
        )

    def conditional(self, scope: Scope, depth: int, indent: int) -> None:
        self.write(indent, f"if {self.condition(scope)}:")
        self.block(scope.inner(), depth - 1, indent + 1)
        if self.chance(50):
            self.write(indent, "else:")
            self.block(scope.inner(), depth - 1, indent + 1)

    def for_loop(self, scope: Scope, depth: int, indent: int) -> None:
        name = self.fresh("k")
        iterated = self.pick(
            (f"range({self.integer(0, 4)})", "range(n % 4)", f"{self.full(scope)}", "parts[:3]")
        )
        self.write(indent, f"for {name} in {iterated}:")
        inner = scope.inner(in_loop=True)
        if not iterated.startswith("range"):
            inner.add("Tensor", name)
        self.block(inner, depth - 1, indent + 1)


tensor_programs = programs_of(_TensorWriter, 8)
"""Source texts of functions ``f`` as `HEADER` declares them."""


def tensor_program(seed: int) -> str:
    """One of them, always the same for a seed."""
    return program_of(_TensorWriter, 8, seed)
