"""TS6: limits, IR texts, and what cannot be executed."""

from __future__ import annotations

from tsc.compiler.explanations.explanation import explain
from tsc.compiler.source import codes

EXPLANATIONS = (
    explain(
        codes.NESTED_TOO_DEEPLY,
        "something nested too deeply",
        """
        Blocks, expressions, types and f-strings are read by functions that call themselves, so
        there is an end to how deep they may be nested. Give the inner parts names or functions of
        their own. Calls that are nested to many are found when all of them are inlined: forty
        functions that each call the one before twice have a million million nodes.
        """,
        bad="""
        def deep(x: int) -> int:
            a = [[[[[[[[[[x]]]]]]]]]]
            b = [[[[[[[[[[a]]]]]]]]]]
            c = [[[[[[[[[[b]]]]]]]]]]
            d = [[[[[[[[[[c]]]]]]]]]]
            e = [[[[[[[[[[d]]]]]]]]]]
            f = [[[[[[[[[[e]]]]]]]]]]
            g = [[[[[[[[[[f]]]]]]]]]]
            h = [[[[[[[[[[g]]]]]]]]]]
            i = [[[[[[[[[[h]]]]]]]]]]
            j = [[[[[[[[[[i]]]]]]]]]]
            return len([j])
        """,
        good="""
        def deep(x: int) -> int:
            a = [[[[[[[[[[x]]]]]]]]]]
            b = [[[[[[[[[[a]]]]]]]]]]
            return len([b])
        """,
    ),
    explain(
        codes.TYPE_TOO_LARGE,
        "a tuple type with too many parts",
        """
        The type of a tuple names the type of each element, and those of nested tuples in turn. A
        list has one type for all its items.
        """,
        bad="""
        def many(x: int) -> int:
            a = (x, x, x, x, x, x, x, x, x, x)
            b = (a, a, a, a, a, a, a, a, a, a)
            c = (b, b, b, b, b, b, b, b, b, b)
            d = (c, c, c, c, c, c, c, c, c, c)
            return len((d, d, d, d, d))
        """,
        good="""
        def many(x: int) -> int:
            a = [x] * 10
            b = [a] * 10
            c = [b] * 10
            d = [c] * 10
            return len([d, d, d, d, d])
        """,
    ),
    explain(
        codes.INVALID_IR,
        "an IR text that cannot be read",
        """
        `tsc.parse_ir` reads the text of a graph as `str(graph)` prints it. The place shows where it
        is something else.
        """,
        bad="""
        graph(%x : Tensor):
          %y : Tensor = aten::relu(%z)
          return (%y)
        """,
        good="""
        graph(%x : Tensor):
          %y : Tensor = aten::relu(%x)
          return (%y)
        """,
        language="ir",
    ),
    explain(
        codes.NOT_EXECUTABLE,
        "a node that this runtime cannot execute",
        """
        A graph that was read from an IR text, or made by a pass, has a node of which there is no
        operator here, or which calls a function that is not known.
        """,
        bad="""
        graph(%x : Tensor):
          %y : Tensor = mine::unheard_of(%x)
          return (%y)
        """,
        good="""
        graph(%x : Tensor):
          %y : Tensor = aten::relu(%x)
          return (%y)
        """,
        language="ir",
    ),
    explain(
        codes.CONSTRUCTOR_FAILS,
        "a module whose constructor raises",
        """
        What a module holds is known when it is made, so `tsc check` makes each module of a file, and
        compiles the methods of what comes out. The `__init__` of this one ends with an exception, as
        it would in Python. If it takes other arguments than it was given, `--init "Model(10)"` gives
        them.
        """,
        bad="""
        import torch
        from torch import nn

        class Model(nn.Module):
            def __init__(self):
                self.layer = nn.Linear(2, 1)

            def forward(self, x):
                return self.layer(x)
        """,
        good="""
        import torch
        from torch import nn

        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = nn.Linear(2, 1)

            def forward(self, x):
                return self.layer(x)
        """,
    ),
)
