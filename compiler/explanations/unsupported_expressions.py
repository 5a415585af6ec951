"""TS4: expressions of Python that TorchScript has not."""

from __future__ import annotations

from tsc.compiler.explanations.explanation import explain
from tsc.compiler.source import codes

EXPLANATIONS = (
    explain(
        codes.NO_ASSIGNMENT_EXPRESSION,
        "an assignment inside of an expression",
        """
        TorchScript has no `:=`. Assign the value in a statement of its own, before it is used.
        """,
        bad="""
        def clipped(x: Tensor) -> Tensor:
            if (n := x.numel()) > 10:
                return x[:10]
            return x * n
        """,
        good="""
        def clipped(x: Tensor) -> Tensor:
            n = x.numel()
            if n > 10:
                return x[:10]
            return x * n
        """,
    ),
    explain(
        codes.NO_ASYNC,
        "async and await",
        """
        TorchScript has no coroutines. `torch.jit.fork` calls a function asynchronously, and
        `torch.jit.wait` gives its result.
        """,
        bad="""
        def both(x: Tensor) -> Tensor:
            y = await torch.relu(x)
            return x + y
        """,
        good="""
        def both(x: Tensor) -> Tensor:
            y = torch.relu(x)
            return x + y
        """,
    ),
    explain(
        codes.NO_KEYWORD_EXPANSION,
        "keyword arguments out of a dict",
        """
        Which argument is which must be known when the program is compiled. Pass each by its name.
        """,
        bad="""
        def scale(x: Tensor, factor: float) -> Tensor:
            return x * factor

        def f(x: Tensor, options: Dict[str, float]) -> Tensor:
            return scale(x, **options)
        """,
        good="""
        def scale(x: Tensor, factor: float) -> Tensor:
            return x * factor

        def f(x: Tensor, options: Dict[str, float]) -> Tensor:
            return scale(x, factor=options["factor"])
        """,
    ),
    explain(
        codes.NO_SET,
        "a set",
        """
        TorchScript has no sets. A dict with True for each element does their work.
        """,
        bad="""
        def distinct(xs: List[int]) -> int:
            seen = {x for x in xs}
            return len(seen)
        """,
        good="""
        def distinct(xs: List[int]) -> int:
            seen = {x: True for x in xs}
            return len(seen)
        """,
    ),
    explain(
        codes.NO_BYTES,
        "a bytes literal",
        """
        Texts are strings of Unicode characters; bytes are kept in a List[int] or in a Tensor of
        uint8.
        """,
        bad="""
        def magic() -> int:
            return len(b"PK")
        """,
        good="""
        def magic() -> int:
            return len("PK")
        """,
    ),
    explain(
        codes.NO_FORMAT_SPECIFICATION,
        "an f-string field with a format or conversion",
        """
        The fields of an f-string hold an expression and nothing else: no `:.2f`, no `!r`.
        `str.format` and `%` take formats.
        """,
        bad="""
        def price(x: float) -> str:
            return f"{x:.2f}"
        """,
        good="""
        def price(x: float) -> str:
            return "{:.2f}".format(x)
        """,
    ),
    explain(
        codes.NO_SURROGATE,
        "half a character in a string",
        r"""
        Strings hold Unicode characters. A lone surrogate, `\ud800` to `\udfff`, is one half
        of a character in another encoding. Write the character itself.
        """,
        bad=r"""
        def smile() -> str:
            return "\ud83d"
        """,
        good=r"""
        def smile() -> str:
            return "\U0001f600"
        """,
    ),
    explain(
        codes.NO_DICT_UNPACKING,
        "a dict that is unpacked into another",
        """
        Copy the dict with `dict(d)`, and add to it with `update`.
        """,
        bad="""
        def extended(options: Dict[str, int]) -> Dict[str, int]:
            return {**options, "depth": 3}
        """,
        good="""
        def extended(options: Dict[str, int]) -> Dict[str, int]:
            result = dict(options)
            result["depth"] = 3
            return result
        """,
    ),
    explain(
        codes.NO_PYTHON_BUILTIN,
        "a function of Python that TorchScript has not",
        """
        The name is a builtin or a function of `math` in Python, but TorchScript has no operator for
        it. The hint says what does the same.
        """,
        bad="""
        def lengths(words: List[str]) -> List[int]:
            return list(map(len, words))
        """,
        good="""
        def lengths(words: List[str]) -> List[int]:
            return [len(word) for word in words]
        """,
    ),
    explain(
        codes.NO_MODULE_CLASS,
        "a module of torch.nn that is made in a function",
        """
        Modules hold parameters, and are made outside of compiled code. In a function, call what the
        module calls: the function of `torch.nn.functional`, with the parameters as arguments.
        """,
        bad="""
        import torch

        def layer(x: Tensor) -> Tensor:
            return torch.nn.Linear(3, 4)(x)
        """,
        good="""
        import torch

        def layer(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
            return torch.nn.functional.linear(x, weight, bias)
        """,
    ),
    explain(
        codes.NO_STARRED_EXPANSION,
        "a starred expression in the wrong place",
        """
        `*x` stands in a call, a list or a tuple, where it means the elements of `x`.
        """,
        bad="""
        def f(pair: Tuple[int, int]) -> int:
            return torch.zeros(3)[*pair].numel()
        """,
        good="""
        def f(pair: Tuple[int, int]) -> int:
            return torch.zeros(3, 3)[pair[0], pair[1]].numel()
        """,
    ),
    explain(
        codes.NO_SUBSCRIPT_SYNTAX,
        "an ellipsis or a slice outside of a subscript",
        """
        `...` and `a:b` mean something between the brackets of a subscript only.
        """,
        bad="""
        def last(x: Tensor) -> Tensor:
            everything = ...
            return x[..., -1]
        """,
        good="""
        def last(x: Tensor) -> Tensor:
            return x[..., -1]
        """,
    ),
    explain(
        codes.NO_UNARY_PLUS,
        "a plus sign in front of a value",
        """
        `+x` is `x`. TorchScript has no operator for it: leave the sign out.
        """,
        bad="""
        def same(x: Tensor) -> Tensor:
            return +x
        """,
        good="""
        def same(x: Tensor) -> Tensor:
            return x
        """,
    ),
)
