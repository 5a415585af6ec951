"""TS5: calls, operators, subscripts and iteration."""

from __future__ import annotations

from tsc.compiler.explanations.explanation import explain
from tsc.compiler.source import codes

EXPLANATIONS = (
    explain(
        codes.WRONG_ARGUMENT,
        "an argument of the wrong type",
        """
        The function takes another type in that place. The message shows its schema, and which
        argument does not fit.
        """,
        bad="""
        def scale(x: Tensor, factor: float) -> Tensor:
            return x * factor

        def f(x: Tensor) -> Tensor:
            return scale(x, "2")
        """,
        good="""
        def scale(x: Tensor, factor: float) -> Tensor:
            return x * factor

        def f(x: Tensor) -> Tensor:
            return scale(x, 2.0)
        """,
    ),
    explain(
        codes.MISSING_ARGUMENT,
        "an argument that is not given",
        """
        A parameter without a default needs an argument in every call.
        """,
        bad="""
        def scale(x: Tensor, factor: float) -> Tensor:
            return x * factor

        def f(x: Tensor) -> Tensor:
            return scale(x)
        """,
        good="""
        def scale(x: Tensor, factor: float) -> Tensor:
            return x * factor

        def f(x: Tensor) -> Tensor:
            return scale(x, 2.0)
        """,
    ),
    explain(
        codes.TOO_MANY_ARGUMENTS,
        "more arguments than parameters",
        """
        The call gives more arguments by position than the function takes.
        """,
        bad="""
        def scale(x: Tensor, factor: float) -> Tensor:
            return x * factor

        def f(x: Tensor) -> Tensor:
            return scale(x, 2.0, 3.0)
        """,
        good="""
        def scale(x: Tensor, factor: float) -> Tensor:
            return x * factor

        def f(x: Tensor) -> Tensor:
            return scale(scale(x, 2.0), 3.0)
        """,
    ),
    explain(
        codes.UNKNOWN_KEYWORD,
        "a keyword that names no parameter",
        """
        The function has no parameter of that name, or the parameter has its argument already.
        Operators of PyTorch have the parameter names in their schemas: `tsc ops NAME` lists them.
        """,
        bad="""
        def scale(x: Tensor, factor: float) -> Tensor:
            return x * factor

        def f(x: Tensor) -> Tensor:
            return scale(x, factr=2.0)
        """,
        good="""
        def scale(x: Tensor, factor: float) -> Tensor:
            return x * factor

        def f(x: Tensor) -> Tensor:
            return scale(x, factor=2.0)
        """,
    ),
    explain(
        codes.NO_MATCHING_OVERLOAD,
        "a call that no variant of an operator fits",
        """
        The operator has several schemas, and the arguments fit none of them. The message shows
        those that come closest, and why each does not fit.
        """,
        bad="""
        def largest(x: Tensor) -> Tensor:
            return torch.sum(x, "rows")
        """,
        good="""
        def largest(x: Tensor) -> Tensor:
            return torch.sum(x, 0)
        """,
    ),
    explain(
        codes.UNSUPPORTED_OPERANDS,
        "operands that an operator does not take",
        """
        The operator is not defined for values of these types. Numbers and strings are not converted
        into each other: `str(n)`, `int(s)` and `float(s)` do that.
        """,
        bad="""
        def label(n: int) -> str:
            return "layer " + n
        """,
        good="""
        def label(n: int) -> str:
            return "layer " + str(n)
        """,
    ),
    explain(
        codes.NOT_CALLABLE,
        "a call of something that is no function",
        """
        Values cannot be called; functions, methods, operators and NamedTuples can.
        """,
        bad="""
        def f(x: Tensor) -> Tensor:
            size = x.size(0)
            return torch.ones(size())
        """,
        good="""
        def f(x: Tensor) -> Tensor:
            size = x.size(0)
            return torch.ones(size)
        """,
    ),
    explain(
        codes.NOT_ITERABLE,
        "a loop over something that cannot be looped over",
        """
        Loops run over lists, dicts, strings, tuples, tensors and ranges. To count up to a number,
        write `range(n)`.
        """,
        bad="""
        def total(n: int) -> int:
            result = 0
            for i in n:
                result += i
            return result
        """,
        good="""
        def total(n: int) -> int:
            result = 0
            for i in range(n):
                result += i
            return result
        """,
    ),
    explain(
        codes.WRONG_UNPACKING,
        "more or fewer targets than values",
        """
        An assignment to several targets needs as many values. A starred target takes what is left
        over.
        """,
        bad="""
        def first(x: Tuple[int, int, int]) -> int:
            a, b = x
            return a
        """,
        good="""
        def first(x: Tuple[int, int, int]) -> int:
            a, b, c = x
            return a
        """,
    ),
    explain(
        codes.NOT_A_TUPLE,
        "a value that cannot be unpacked",
        """
        Tuples can be unpacked, and so can lists where the number of targets is known. A tensor is
        taken apart with `unbind`.
        """,
        bad="""
        def add(n: int) -> int:
            a, b = n
            return a + b
        """,
        good="""
        def add(n: Tuple[int, int]) -> int:
            a, b = n
            return a + b
        """,
    ),
    explain(
        codes.NOT_SUBSCRIPTABLE,
        "a subscript on something that has no items",
        """
        Tensors, lists, dicts, strings and tuples have items. Only tensors take several indices at
        once.
        """,
        bad="""
        def corner(rows: List[List[int]]) -> int:
            return rows[0, 0]
        """,
        good="""
        def corner(rows: List[List[int]]) -> int:
            return rows[0][0]
        """,
    ),
    explain(
        codes.INVALID_TUPLE_INDEX,
        "a tuple index that is not known when compiling",
        """
        The elements of a tuple may differ in type, so the index is a constant, and within the
        tuple. Lists can be indexed by variables.
        """,
        bad="""
        def pick(pair: Tuple[int, str], n: int) -> int:
            return pair[n]
        """,
        good="""
        def pick(pair: Tuple[int, str], n: int) -> int:
            return pair[0]
        """,
    ),
    explain(
        codes.INVALID_TENSOR_INDEX,
        "an index that a tensor does not take",
        """
        Tensors are indexed by ints, slices, None, `...` (once), tensors and lists.
        """,
        bad="""
        def row(x: Tensor) -> Tensor:
            return x["first"]
        """,
        good="""
        def row(x: Tensor) -> Tensor:
            return x[0]
        """,
    ),
    explain(
        codes.INVALID_SLICE,
        "a slice that cannot be taken",
        """
        A slice of a tuple has constant bounds, since the types of the result depend on them, and no
        step is zero.
        """,
        bad="""
        def head(x: Tuple[int, str, int], n: int) -> int:
            return len(x[:n])
        """,
        good="""
        def head(x: Tuple[int, str, int], n: int) -> int:
            return len(x[:2])
        """,
    ),
    explain(
        codes.UNCHANGEABLE_ITEM,
        "an item that cannot be set or deleted",
        """
        The items of lists, dicts and tensors can be set; strings and tuples do not change. Build a
        new one.
        """,
        bad="""
        def moved(point: Tuple[int, int]) -> Tuple[int, int]:
            point[0] = 3
            return point
        """,
        good="""
        def moved(point: Tuple[int, int]) -> Tuple[int, int]:
            return (3, point[1])
        """,
    ),
    explain(
        codes.WRONG_SPECIAL_CALL,
        "a call that the compiler itself reads, with wrong arguments",
        """
        Some functions are understood by the compiler: `range`, `zip`, `enumerate`, `print`,
        `isinstance`, `hasattr`, `getattr`, `torch.jit.annotate` and others. They take a fixed
        number of arguments, few keywords, and names only as string literals.
        """,
        bad="""
        def show(n: int) -> None:
            print(n, end="")
        """,
        good="""
        def show(n: int) -> None:
            print(n)
        """,
    ),
    explain(
        codes.FLAG_NOT_CONSTANT,
        "a flag that must be written as True or False",
        """
        What the function returns depends on the flag, so it must be known when the program is
        compiled.
        """,
        bad="""
        import torch.nn.functional as F

        def pooled(x: Tensor, indices: bool) -> Tensor:
            return F.max_pool2d(x, 2, return_indices=indices)
        """,
        good="""
        import torch.nn.functional as F

        def pooled(x: Tensor) -> Tensor:
            return F.max_pool2d(x, 2, return_indices=False)
        """,
    ),
    explain(
        codes.UNKNOWN_OPERATOR,
        "an operator that does not exist here",
        """
        There is no operator of that name. `tsc ops` lists those that there are, and
        `tsc.register_operator` adds others.
        """,
        bad="""
        def f(x: Tensor) -> Tensor:
            return ops.aten.sofmax(x)
        """,
        good="""
        def f(x: Tensor) -> Tensor:
            return ops.aten.softmax(x, 0)
        """,
    ),
)
