"""TS2: names that mean nothing, or not what they should."""

from __future__ import annotations

from tsc.compiler.explanations.explanation import explain
from tsc.compiler.source import codes

EXPLANATIONS = (
    explain(
        codes.UNDEFINED_NAME,
        "a name that nothing defines",
        """
        The name is no variable of the function, no function, constant or import of the file, and no
        builtin that TorchScript knows. It may be misspelt: the hint names what comes close.
        """,
        bad="""
        def area(width: float, height: float) -> float:
            return widht * height
        """,
        good="""
        def area(width: float, height: float) -> float:
            return width * height
        """,
    ),
    explain(
        codes.POSSIBLY_UNDEFINED_NAME,
        "a variable that is not set on every path",
        """
        A variable that only one branch of an `if` sets, or only the body of a loop, is not there
        afterwards: the other branch may have run, or the body not once. Set it before, or on every
        path.
        """,
        bad="""
        def sign(n: int) -> str:
            if n < 0:
                text = "negative"
            return text
        """,
        good="""
        def sign(n: int) -> str:
            text = "positive"
            if n < 0:
                text = "negative"
            return text
        """,
    ),
    explain(
        codes.UNKNOWN_ATTRIBUTE,
        "an attribute or method that a value has not",
        """
        Tensors have the methods that PyTorch's operators give them; strings, lists and dicts have
        those of Python, as far as TorchScript has them. NumPy's names do not work.
        """,
        bad="""
        def as_double(x: Tensor) -> Tensor:
            return x.astype(torch.float64)
        """,
        good="""
        def as_double(x: Tensor) -> Tensor:
            return x.to(torch.float64)
        """,
    ),
    explain(
        codes.UNKNOWN_MODULE_MEMBER,
        "a name that a module of torch has not",
        """
        The module is known, but has no function or constant of that name here. `tsc ops` lists the
        operators that there are, and `tsc ops --similar NAME` those with names like another.
        """,
        bad="""
        import torch

        def activated(x: Tensor) -> Tensor:
            return torch.sigmod(x)
        """,
        good="""
        import torch

        def activated(x: Tensor) -> Tensor:
            return torch.sigmoid(x)
        """,
    ),
    explain(
        codes.UNAVAILABLE_MODULE,
        "a module that TorchScript cannot see into",
        """
        A program can use `torch`, `math`, the `typing` module and source files that lie beside it.
        Other modules may be imported, for the parts that Python alone runs, but not used in a
        function that is compiled. An import of a source file is resolved from the folder of the
        file that imports it. It is reported once for each module.
        """,
        bad="""
        import numpy as np

        def norm(x: Tensor) -> Tensor:
            return np.sqrt((x * x).sum())
        """,
        good="""
        import torch

        def norm(x: Tensor) -> Tensor:
            return torch.sqrt((x * x).sum())
        """,
    ),
    explain(
        codes.UNKNOWN_IMPORT,
        "a name that the imported file does not define",
        """
        The imported source file has been read, and defines nothing of that name.
        """,
        bad="""
        from shapes import circle_area

        def ring(inner: float, outer: float) -> float:
            return circle_area(outer) - circle_area(inner)
        """,
        good="""
        from shapes import disc_area

        def ring(inner: float, outer: float) -> float:
            return disc_area(outer) - disc_area(inner)
        """,
        siblings={
            "shapes.py": b"def disc_area(radius: float) -> float:\n    return 3.14159 * radius * radius\n"
        },
    ),
    explain(
        codes.UNKNOWN_TYPE,
        "an annotation that names no type",
        """
        Types are `int`, `float`, `bool`, `str`, `complex`, `Tensor`, `List[...]`, `Dict[...]`,
        `Tuple[...]`, `Optional[...]`, `Union[...]`, `Any`, and the NamedTuples and enums of the
        program. Sequences and iterables are lists here.
        """,
        bad="""
        from typing import Sequence

        def first(xs: Sequence[int]) -> int:
            return xs[0]
        """,
        good="""
        from typing import List

        def first(xs: List[int]) -> int:
            return xs[0]
        """,
    ),
    explain(
        codes.REDEFINED_FUNCTION,
        "two functions of one name",
        """
        In one text, a name is one function: a call could mean either. Rename one of them, or delete
        the one that is not wanted.
        """,
        bad="""
        def scale(x: Tensor) -> Tensor:
            return x * 2

        def scale(x: Tensor, factor: int) -> Tensor:
            return x * factor
        """,
        good="""
        def scale(x: Tensor, factor: int = 2) -> Tensor:
            return x * factor
        """,
    ),
    explain(
        codes.GLOBAL_NOT_CONSTANT,
        "a global that is known only when Python runs",
        """
        Source texts are read, never executed. A global that is a number, a string, or a tuple, list
        or dict of those can be used in functions; what a call makes is not there. Pass it in as an
        argument.
        """,
        bad="""
        SIZES = open("sizes.txt").readlines()

        def count() -> int:
            return len(SIZES)
        """,
        good="""
        def count(sizes: List[str]) -> int:
            return len(sizes)
        """,
    ),
    explain(
        codes.UNREADABLE_IMPORT,
        "an imported file that is not text",
        """
        Source files are UTF-8 text. The imported file has bytes that are not: save it as UTF-8.
        """,
        bad="""
        import greek

        def f() -> str:
            return greek.ALPHA
        """,
        good="""
        def f() -> str:
            return "α"
        """,
        siblings={"greek.py": 'ALPHA = "α"\n'.encode("iso8859-7")},
    ),
    explain(
        codes.UNKNOWN_SERIALIZED_NAME,
        "a name of an archive that is not there",
        """
        The code in an archive calls functions as `__torch__.name(...)`, and reads tensors as
        `CONSTANTS.c0`. The text is read without the other parts of its archive, or the name is
        wrong.
        """,
        bad="""
        def f(x: Tensor) -> Tensor:
            return __torch__.helper(x)
        """,
        good="""
        def helper(x: Tensor) -> Tensor:
            return x + 1

        def f(x: Tensor) -> Tensor:
            return __torch__.helper(x)
        """,
    ),
)
