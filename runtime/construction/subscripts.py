"""Elements of displays, and what stands between square brackets."""

from __future__ import annotations

from typing import Any

from tsc.compiler.frontend.tree_views import Starred, Subscript
from tsc.runtime.construction.values.protocol import Evaluator, Frame


def elements(evaluator: Evaluator, trees: Any, frame: Frame) -> list[Any]:
    """The values of trees in a row; a starred one stands for many."""
    values: list[Any] = []
    for each in trees:
        if isinstance(each, Starred):
            values += evaluator.listed(evaluator.evaluate(each.expr, frame))
        else:
            values.append(evaluator.evaluate(each, frame))
    return values


def subscript_key(evaluator: Evaluator, tree: Subscript, frame: Frame) -> Any:
    """What stands between the square brackets: several keys are a tuple."""
    keys = elements(evaluator, tree.subscript_exprs, frame)
    is_tuple = len(keys) != 1 or isinstance(tree.subscript_exprs[0], Starred)
    if not is_tuple and _has_trailing_comma(tree):
        is_tuple = True
    return tuple(keys) if is_tuple else keys[0]


def _has_trailing_comma(tree: Subscript) -> bool:
    """``x[i,]`` has a tuple as key; the tree does not tell it from ``x[i]``."""
    text = tree.range.source.text[tree.subscript_exprs[0].range.end : tree.range.end]
    return text.lstrip(" )\n").startswith(",")
