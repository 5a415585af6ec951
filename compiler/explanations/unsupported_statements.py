"""TS4: statements, functions and classes of Python that TorchScript has not."""

from __future__ import annotations

from tsc.compiler.explanations.explanation import explain
from tsc.compiler.source import codes

EXPLANATIONS = (
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
        "a class inside of a function",
        """
        Classes stand at the top of the file.
        """,
        bad="""
        def area(width: float) -> float:
            class Box:
                def __init__(self, width: float) -> None:
                    self.width = width
            box = Box(width)
            return box.width * box.width
        """,
        good="""
        class Box:
            def __init__(self, width: float) -> None:
                self.width = width

        def area(width: float) -> float:
            box = Box(width)
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
