"""TS4: Python that TorchScript has not."""

from __future__ import annotations

from compiler.explanations.explanation import explain
from compiler.source import codes

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
        codes.NO_GENERATOR,
        "a generator",
        """
        Functions return once: there is no `yield`. Collect the values in a list, and return it.
        """,
        bad="""
        def squares(n: int):
            for i in range(n):
                yield i * i
        """,
        good="""
        def squares(n: int) -> List[int]:
            result: List[int] = []
            for i in range(n):
                result.append(i * i)
            return result
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
        codes.NO_TRY,
        "an exception that is caught",
        """
        An exception always ends a TorchScript program, so there is no `try`. Check beforehand
        whether the operation can work.
        """,
        bad="""
        def lookup(table: Dict[str, int], key: str) -> int:
            try:
                return table[key]
            except KeyError:
                return 0
        """,
        good="""
        def lookup(table: Dict[str, int], key: str) -> int:
            if key in table:
                return table[key]
            return 0
        """,
    ),
    explain(
        codes.NO_MATCH,
        "a match statement",
        """
        Compare with `==`, or ask with `isinstance`, in `if` and `elif`.
        """,
        bad="""
        def area(kind: str, size: float) -> float:
            match kind:
                case "square":
                    return size * size
                case _:
                    return 0.0
        """,
        good="""
        def area(kind: str, size: float) -> float:
            if kind == "square":
                return size * size
            return 0.0
        """,
    ),
    explain(
        codes.NO_OUTER_VARIABLE,
        "a variable of another scope that is set",
        """
        Functions cannot change variables outside of them: there is no `global` and no `nonlocal`.
        Pass the value in, and return the new one.
        """,
        bad="""
        calls = 0

        def counted(x: Tensor) -> Tensor:
            global calls
            calls = calls + 1
            return x
        """,
        good="""
        def counted(x: Tensor, calls: int) -> Tuple[Tensor, int]:
            return x, calls + 1
        """,
    ),
    explain(
        codes.NO_BARE_RAISE,
        "raise without an exception",
        """
        A bare `raise` raises the exception that is being handled, and TorchScript handles none.
        Name the exception.
        """,
        bad="""
        def positive(n: int) -> int:
            if n < 0:
                raise
            return n
        """,
        good="""
        def positive(n: int) -> int:
            if n < 0:
                raise ValueError("n must be positive")
            return n
        """,
    ),
    explain(
        codes.NO_LOOP_ELSE,
        "the else branch of a loop",
        """
        Set a flag before `break`, and test it after the loop.
        """,
        bad="""
        def find(xs: List[int], wanted: int) -> int:
            position = 0
            for i, x in enumerate(xs):
                if x == wanted:
                    position = i
                    break
            else:
                position = -1
            return position
        """,
        good="""
        def find(xs: List[int], wanted: int) -> int:
            position = -1
            for i, x in enumerate(xs):
                if x == wanted:
                    position = i
                    break
            return position
        """,
    ),
    explain(
        codes.NO_CLASS,
        "a class that is neither a NamedTuple nor an enum",
        """
        Of the classes in a source text, NamedTuples and enums can be used. Keep the data in a
        NamedTuple, and make functions of the methods.
        """,
        bad="""
        class Box:
            def __init__(self, width: float) -> None:
                self.width = width

        def area(box: Box) -> float:
            return box.width * box.width
        """,
        good="""
        from typing import NamedTuple

        class Box(NamedTuple):
            width: float

        def area(box: Box) -> float:
            return box.width * box.width
        """,
    ),
    explain(
        codes.NO_LOCAL_IMPORT,
        "an import inside of a function",
        """
        Imports stand at the top of the file.
        """,
        bad="""
        def circumference(radius: float) -> float:
            import math
            return 2.0 * math.pi * radius
        """,
        good="""
        import math

        def circumference(radius: float) -> float:
            return 2.0 * math.pi * radius
        """,
    ),
    explain(
        codes.NO_VARIADIC_PARAMETER,
        "a function that takes any number of arguments",
        """
        A function has a fixed number of parameters, each with a type: no `*args`, no `**kwargs`.
        Take a list or a dict.
        """,
        bad="""
        def total(*xs: int) -> int:
            return sum(xs)
        """,
        good="""
        def total(xs: List[int]) -> int:
            return sum(xs)
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
        codes.NO_TYPE_PARAMETER,
        "a function with type parameters",
        """
        A function is compiled for the types in its signature. Write it once for each of them, or
        take a `Union` or `Any`.
        """,
        bad="""
        def first[T](xs: List[T]) -> T:
            return xs[0]
        """,
        good="""
        def first(xs: List[int]) -> int:
            return xs[0]
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
        codes.NO_CONTEXT_MANAGER,
        "with an object that is no context manager",
        """
        `with` takes `torch.no_grad()`, and objects with `__enter__` and `__exit__`. What it binds
        with `as` is a variable.
        """,
        bad="""
        def read(n: int) -> int:
            with n as m:
                return m
        """,
        good="""
        def read(n: int) -> int:
            with torch.no_grad():
                return n
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
    explain(
        codes.NO_SLICE_CHANGE,
        "a slice of a list that is replaced or deleted",
        """
        The items of a list are set and deleted one by one; slices are read only. Build a new list
        out of slices.
        """,
        bad="""
        def without_first_two(xs: List[int]) -> List[int]:
            del xs[0:2]
            return xs
        """,
        good="""
        def without_first_two(xs: List[int]) -> List[int]:
            return xs[2:]
        """,
    ),
    explain(
        codes.NO_JUMP_FROM_UNROLLED_LOOP,
        "break or continue in a loop over a tuple",
        """
        The elements of a tuple may differ in type, so a loop over one is written out, element by
        element, and there is no loop to leave. Loop over a list, or put the rest of the body under
        an `if`.
        """,
        bad="""
        def total(pair: Tuple[int, int]) -> int:
            result = 0
            for x in pair:
                if x < 0:
                    continue
                result += x
            return result
        """,
        good="""
        def total(pair: Tuple[int, int]) -> int:
            result = 0
            for x in pair:
                if x >= 0:
                    result += x
            return result
        """,
    ),
    explain(
        codes.NO_BARE_DECLARATION,
        "a declaration without a value",
        """
        A variable is declared where it is first set: `name: Type = value`.
        """,
        bad="""
        def f(c: bool) -> int:
            n: int
            n = 3
            return n
        """,
        good="""
        def f(c: bool) -> int:
            n: int = 3
            return n
        """,
    ),
    explain(
        codes.NO_OTHER_EXCEPTION,
        "something raised that is no exception",
        """
        What is raised is a builtin exception, with a message: `raise ValueError("reason")`.
        """,
        bad="""
        def positive(n: int) -> int:
            if n < 0:
                raise "n must be positive"
            return n
        """,
        good="""
        def positive(n: int) -> int:
            if n < 0:
                raise ValueError("n must be positive")
            return n
        """,
    ),
    explain(
        codes.NO_ATTRIBUTE_DELETION,
        "an attribute that is deleted",
        """
        `del` takes variables, and items of lists and dicts.
        """,
        bad="""
        def f(x: Tensor) -> Tensor:
            y = x + 1
            del y.grad
            return y
        """,
        good="""
        def f(x: Tensor) -> Tensor:
            y = x + 1
            return y.detach()
        """,
    ),
    explain(
        codes.NO_ATTRIBUTE_ASSIGNMENT,
        "an attribute that is set on a value",
        """
        Tensors, tuples, lists and numbers have no attributes that can be set. Keep what belongs to
        them in a variable, or in a NamedTuple beside them.
        """,
        bad="""
        def named(x: Tensor) -> Tensor:
            x.label = 3
            return x
        """,
        good="""
        def named(x: Tensor) -> Tuple[Tensor, int]:
            label = 3
            return x, label
        """,
    ),
    explain(
        codes.NO_TYPE_STATEMENT,
        "a type statement",
        """
        An alias for a type is a plain assignment at the top of the file.
        """,
        bad="""
        type Shape = List[int]

        def size(shape: List[int]) -> int:
            return len(shape)
        """,
        good="""
        Shape = List[int]

        def size(shape: Shape) -> int:
            return len(shape)
        """,
    ),
    explain(
        codes.NO_DECORATOR,
        "a decorator that the compiler does not know",
        """
        A decorator replaces a function by what it makes of it, which happens when Python runs. Those
        of `torch.jit` and some others are known; what another one does is written into the function.
        """,
        bad="""
        import functools

        @functools.lru_cache
        def square(n: int) -> int:
            return n * n
        """,
        good="""
        def square(n: int) -> int:
            return n * n
        """,
    ),
    explain(
        codes.ONLY_IN_TSC,
        "an extension of tsc, in strict mode",
        """
        tsc compiles some programs that PyTorch refuses. With `--strict`, or `strict=True`, it
        refuses them as well, so that what it accepts works in both.
        """,
        bad="""
        def evens(xs: List[int]) -> List[int]:
            return [x for x in xs if x % 2 == 0]
        """,
        good="""
        def evens(xs: List[int]) -> List[int]:
            result: List[int] = []
            for x in xs:
                if x % 2 == 0:
                    result.append(x)
            return result
        """,
        strict=True,
    ),
)
