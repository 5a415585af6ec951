"""From source text to trees."""

from __future__ import annotations

from tsc.compiler.frontend.parsing import parse
from tsc.compiler.frontend.tree_builder import TreeBuilder
from tsc.compiler.frontend.tree_views import Def, Expr, Module
from tsc.compiler.source import CompileError, Source, codes


def parse_source(source: Source) -> Module:
    """The tree of a whole text.

    What TorchScript has not is in the tree as well, since it may stand where nobody compiles it:
    each ``Def`` lists it in ``refusals``, and so does the emitter when it comes to it.
    """
    return parse(TreeBuilder(source), source, "module")


def parse_function(source: Source) -> Def:
    """The tree of a text that defines one function, and nothing else."""
    module = parse_source(source)
    if len(module.statements) != 1 or not isinstance(module.statements[0], Def):
        raise CompileError(
            "expected a single function definition", module.range, code=codes.UNEXPECTED_TOKEN
        )
    definition = module.statements[0]
    for refusal in definition.refusals:
        raise refusal
    return definition


def parse_expression(source: Source, start: int = 0, end: int | None = None) -> Expr:
    """The tree of an expression: a whole text, or what lies between two offsets of it."""
    builder = TreeBuilder(source)
    stop = len(source.text) if end is None else end
    expr: Expr = builder.part(start, stop, "expression")
    for refusal in builder.refusals:
        raise refusal
    return expr
