"""Trees print as those of PyTorch do; its texts are recorded in `data/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tsc.compiler.frontend import parse_expression, parse_source
from tsc.compiler.source import Source

HERE = Path(__file__).parent
FUNCTIONS = HERE / "tree_functions.py"
NAMES = ("parameters", "assignments", "operators", "literals", "calls", "control_flow")


@pytest.mark.parametrize("name", NAMES)
def test_functions_print_as_in_pytorch(name: str) -> None:
    module = parse_source(Source(FUNCTIONS.read_text(encoding="utf-8"), str(FUNCTIONS)))
    trees = {definition.name.name: str(definition) for definition in module.definitions}
    assert trees[name] + "\n" == (HERE / "data" / f"{name}.tree").read_text(encoding="utf-8")


def test_the_example_of_the_overview() -> None:
    assert str(parse_expression(Source("z.sigmoid() - (x + y)"))) == (
        "(-\n"
        "  (apply\n"
        "    (.\n"
        "      (variable (ident z))\n"
        "      (ident sigmoid))\n"
        "    (list)\n"
        "    (list))\n"
        "  (+\n"
        "    (variable (ident x))\n"
        "    (variable (ident y))))"
    )


def test_kinds_that_pytorch_has_not() -> None:
    text = "f(lambda *a: 0, {1}, (x for y in z if w), {x for x in y}, **k)"
    assert " ".join(str(parse_expression(Source(text))).split()) == (
        "(apply (variable (ident f)) (list"
        " (lambda (decl (list (param (ident a) (option) (option) (False))) (option)) (const 0))"
        " (set-literal (list (const 1)))"
        " (generator expression (variable (ident x)) (variable (ident y)) (variable (ident z))"
        " (list (variable (ident w))))"
        " (set comprehension (variable (ident x)) (variable (ident x)) (variable (ident y)))"
        " (double-starred (variable (ident k)))) (list))"
    )


def test_a_deep_tree_prints() -> None:
    text = str(parse_expression(Source(" + ".join(["x"] * 3000))))
    assert text.count("(+") == 2999
