"""TS3: types that do not fit together."""

from __future__ import annotations

from tsc.compiler.explanations.explanation import explain
from tsc.compiler.source import codes

EXPLANATIONS = (
    explain(
        codes.INVALID_ANNOTATION,
        "an annotation that cannot be read as a type",
        """
        An annotation is the name of a type, or one of the constructors with types in brackets: as
        many as it takes. Values, calls and lists of types are none.
        """,
        bad="""
        def total(xs: [int]) -> int:
            return sum(xs)
        """,
        good="""
        def total(xs: List[int]) -> int:
            return sum(xs)
        """,
    ),
    explain(
        codes.MISSING_CONTAINED_TYPE,
        "a container type that does not say what it holds",
        """
        TorchScript's lists, dicts, tuples and optionals are typed: say what they hold, as in
        `List[int]`.
        """,
        bad="""
        from typing import List

        def total(xs: List) -> int:
            return sum(xs)
        """,
        good="""
        from typing import List

        def total(xs: List[int]) -> int:
            return sum(xs)
        """,
    ),
    explain(
        codes.INVALID_KEY_TYPE,
        "a dict with keys that cannot be keys",
        """
        The keys of a dict are of type str, int, float, complex, bool, Tensor or device.
        """,
        bad="""
        def weight(edges: Dict[Tuple[int, int], float]) -> float:
            return edges[(0, 1)]
        """,
        good="""
        def weight(edges: Dict[str, float]) -> float:
            return edges["0-1"]
        """,
    ),
    explain(
        codes.CHANGED_TYPE,
        "a variable that changes its type",
        """
        A variable that is set before a branch or loop keeps its type in there: afterwards it must
        be known what it is. If it may be one of several types, annotate the first assignment.
        """,
        bad="""
        def last(xs: List[int]) -> int:
            found = None
            for x in xs:
                found = x
            return 0 if found is None else found
        """,
        good="""
        def last(xs: List[int]) -> int:
            found: Optional[int] = None
            for x in xs:
                found = x
            return 0 if found is None else found
        """,
    ),
    explain(
        codes.ANNOTATION_MISMATCH,
        "a value that is not of the annotated type",
        """
        The annotation of a variable, or `torch.jit.annotate`, promises a type, and the value has
        another. Numbers are not converted: write `float(n)`, or annotate what the value is.
        """,
        bad="""
        def half(n: int) -> float:
            result: float = n
            return result / 2
        """,
        good="""
        def half(n: int) -> float:
            result: float = float(n)
            return result / 2
        """,
    ),
    explain(
        codes.REPEATED_ANNOTATION,
        "a variable that is annotated again",
        """
        The type of a variable is declared once, where it is first set. In a block inside, it is
        assigned to without an annotation.
        """,
        bad="""
        def clipped(n: int) -> int:
            result: int = n
            if n < 0:
                result: int = 0
            return result
        """,
        good="""
        def clipped(n: int) -> int:
            result: int = n
            if n < 0:
                result = 0
            return result
        """,
    ),
    explain(
        codes.REASSIGNED_NAME,
        "a name that stands for no value, set again in a block",
        """
        Ranges, modules, functions and types may get a name, but that name cannot be set again
        inside of a branch or loop: which of them it is must be known when the program is compiled.
        Use a list, or a name for each.
        """,
        bad="""
        def count(n: int, backwards: bool) -> int:
            steps = range(n)
            if backwards:
                steps = range(n, 0, -1)
            total = 0
            for i in steps:
                total += i
            return total
        """,
        good="""
        def count(n: int, backwards: bool) -> int:
            steps = list(range(n))
            if backwards:
                steps = list(range(n, 0, -1))
            total = 0
            for i in steps:
                total += i
            return total
        """,
    ),
    explain(
        codes.RETURN_MISMATCH,
        "a result that is not of the declared type",
        """
        The value that is returned has not the type behind `->`. Convert it, or declare what it is.
        """,
        bad="""
        def mean(xs: List[int]) -> int:
            return sum(xs) / len(xs)
        """,
        good="""
        def mean(xs: List[int]) -> float:
            return sum(xs) / len(xs)
        """,
    ),
    explain(
        codes.DIFFERENT_RETURNS,
        "returns of different types",
        """
        A function without a declared result returns what its first `return` returns. If it may
        return one of several types, declare that: `-> Optional[int]`, `-> Union[int, str]`.
        """,
        bad="""
        def find(xs: List[int], wanted: int):
            if wanted in xs:
                return wanted
            return "nothing"
        """,
        good="""
        def find(xs: List[int], wanted: int) -> Union[int, str]:
            if wanted in xs:
                return wanted
            return "nothing"
        """,
    ),
    explain(
        codes.MISSING_RETURN,
        "a path that returns nothing",
        """
        The function declares a result, but can come to its end without a `return`. Return a value
        there, raise an exception, or declare an `Optional` and return None.
        """,
        bad="""
        def sign(n: int) -> int:
            if n > 0:
                return 1
            if n < 0:
                return -1
        """,
        good="""
        def sign(n: int) -> int:
            if n > 0:
                return 1
            if n < 0:
                return -1
            return 0
        """,
    ),
    explain(
        codes.DIFFERENT_BRANCHES,
        "branches that give a variable different types",
        """
        After an `if`, a variable must have one type, whichever branch ran. Give it values of one
        type, or declare before the `if` which types it may have.
        """,
        bad="""
        def label(n: int) -> str:
            if n > 0:
                result = n
            else:
                result = "none"
            return str(result)
        """,
        good="""
        def label(n: int) -> str:
            result: Union[int, str] = "none"
            if n > 0:
                result = n
            return str(result)
        """,
    ),
    explain(
        codes.NOT_A_CONDITION,
        "a condition that is neither true nor false",
        """
        Conditions are bools, numbers, tensors of one element, strings, lists and dicts. Other
        values have no truth value: compare them with something, and test an Optional with `is not
        None`.
        """,
        bad="""
        def shifted(x: Tensor, bias: Optional[Tensor]) -> Tensor:
            if bias:
                return x + bias
            return x
        """,
        good="""
        def shifted(x: Tensor, bias: Optional[Tensor]) -> Tensor:
            if bias is not None:
                return x + bias
            return x
        """,
    ),
    explain(
        codes.MIXED_ELEMENTS,
        "a container whose elements have different types",
        """
        The keys of a dict have one type, and so have the elements of a constant list. Tuples may
        mix types, and an annotation can say `Union` or `Any`.
        """,
        bad="""
        def table() -> Dict[str, int]:
            return {"one": 1, 2: 2}
        """,
        good="""
        def table() -> Dict[str, int]:
            return {"one": 1, "two": 2}
        """,
    ),
    explain(
        codes.CONTAINER_MISMATCH,
        "a list or dict that is not what its annotation says",
        """
        The elements of the literal are not of the type that the annotation gives them. Numbers are
        not converted in literals: write `1.0` for 1.
        """,
        bad="""
        def weights() -> List[float]:
            ws: List[float] = [1, 2, 3]
            return ws
        """,
        good="""
        def weights() -> List[float]:
            ws: List[float] = [1.0, 2.0, 3.0]
            return ws
        """,
    ),
    explain(
        codes.DEFAULT_NOT_CONSTANT,
        "a default value that is not constant",
        """
        Default values are evaluated when the program is compiled. Take None as the default, and
        compute the value in the function.
        """,
        bad="""
        def depth() -> int:
            return 3

        def powers(x: Tensor, n: int = depth()) -> Tensor:
            return x ** n
        """,
        good="""
        def depth() -> int:
            return 3

        def powers(x: Tensor, n: Optional[int] = None) -> Tensor:
            return x ** (depth() if n is None else n)
        """,
    ),
    explain(
        codes.DEFAULT_MISMATCH,
        "a default value of another type",
        """
        The default value has not the type of its parameter. For None, the type is an `Optional`.
        """,
        bad="""
        def scale(x: Tensor, factor: float = None) -> Tensor:
            return x * factor
        """,
        good="""
        def scale(x: Tensor, factor: Optional[float] = None) -> Tensor:
            return x if factor is None else x * factor
        """,
    ),
    explain(
        codes.NOT_A_VALUE,
        "a module, function or type where a value is wanted",
        """
        Modules, functions, types and the results of `print` are no values: they cannot be stored,
        passed or returned. Call the function where it is needed.
        """,
        bad="""
        def where() -> str:
            here = [torch]
            return str(here)
        """,
        good="""
        def where() -> str:
            here = ["torch"]
            return str(here)
        """,
    ),
    explain(
        codes.UNKNOWN_RESULT_TYPE,
        "a result whose type only an annotation can tell",
        """
        How deep the list is that `tolist()` gives depends on the tensor, so the variable that takes
        it says so. Its elements are ints, floats, complex numbers or bools.
        """,
        bad="""
        def values(x: Tensor) -> int:
            numbers = x.tolist()
            return 0
        """,
        good="""
        def values(x: Tensor) -> int:
            numbers: List[float] = x.tolist()
            return len(numbers)
        """,
    ),
    explain(
        codes.INVALID_NAMED_TUPLE,
        "a NamedTuple that cannot be read",
        """
        A NamedTuple is a class with annotated fields, or a call with the fields written as a list.
        Their defaults are constants, and fields without a default come first.
        """,
        bad="""
        from typing import NamedTuple

        FIELDS = [("width", float), ("height", float)]
        Box = NamedTuple("Box", FIELDS)

        def area(box: Box) -> float:
            return box.width * box.height
        """,
        good="""
        from typing import NamedTuple

        class Box(NamedTuple):
            width: float
            height: float

        def area(box: Box) -> float:
            return box.width * box.height
        """,
    ),
    explain(
        codes.UNANNOTATED_PARAMETER,
        "a parameter that needs an annotation",
        """
        A parameter without an annotation is a Tensor. If it is used as a number, a string or a
        list, say so. It is reported once for each parameter.
        """,
        bad="""
        def total(n):
            result = 0
            for i in range(n):
                result += i
            return result
        """,
        good="""
        def total(n: int):
            result = 0
            for i in range(n):
                result += i
            return result
        """,
    ),
    explain(
        codes.UNCHECKED_OPTIONAL,
        "a value that may be None",
        """
        An `Optional` value can be used only where it is known not to be None: after `if x is not
        None:`, after `assert x is not None`, or behind `x is not None and ...`.
        """,
        bad="""
        def shifted(x: Tensor, bias: Optional[Tensor]) -> Tensor:
            return x + bias
        """,
        good="""
        def shifted(x: Tensor, bias: Optional[Tensor]) -> Tensor:
            if bias is None:
                return x
            return x + bias
        """,
    ),
    explain(
        codes.INTEGER_TOO_LARGE,
        "an integer that does not fit into 64 bits",
        """
        Integers of TorchScript have 64 bits, with a sign. Larger ones can be written as floats.
        """,
        bad="""
        def largest() -> float:
            return float(18446744073709551616)
        """,
        good="""
        def largest() -> float:
            return 18446744073709551616.0
        """,
    ),
    explain(
        codes.UNANNOTATED_RECURSION,
        "a recursive function that does not declare its result",
        """
        What a call of a function gives must be known before its body is read. A function that calls
        itself therefore declares its result. (PyTorch refuses recursion, and so does `--strict`.)
        """,
        bad="""
        def factorial(n: int):
            if n < 2:
                return 1
            return n * factorial(n - 1)
        """,
        good="""
        def factorial(n: int) -> int:
            if n < 2:
                return 1
            return n * factorial(n - 1)
        """,
    ),
    explain(
        codes.INVALID_CLASS,
        "a class that cannot be compiled",
        """
        The body of a class has methods, and constants that can be computed beforehand. `__init__`
        sets every attribute for the first time, outside of all branches and loops: that decides
        its type.
        """,
        bad="""
        class Counter:
            def __init__(self, start: int):
                if start > 0:
                    self.count = start

        def f() -> Counter:
            return Counter(3)
        """,
        good="""
        class Counter:
            def __init__(self, start: int):
                self.count = 0
                if start > 0:
                    self.count = start

        def f() -> Counter:
            return Counter(3)
        """,
    ),
    explain(
        codes.INVALID_ENUM,
        "an enum that cannot be read",
        """
        The members of an enum are constants of one type, which is int, float or str.
        """,
        bad="""
        from enum import Enum

        class Color(Enum):
            RED = 1
            GREEN = "green"

        def is_red(color: Color) -> bool:
            return color == Color.RED
        """,
        good="""
        from enum import Enum

        class Color(Enum):
            RED = 1
            GREEN = 2

        def is_red(color: Color) -> bool:
            return color == Color.RED
        """,
    ),
)
