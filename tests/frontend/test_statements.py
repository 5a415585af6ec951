"""Statements: structure, blocks, what is refused and what is skipped."""

from __future__ import annotations

import importlib
import inspect
import re
from textwrap import indent

import pytest

from tsc.compiler.frontend import parse_function, parse_source
from tsc.compiler.frontend.tree_views import (
    Assign,
    ClassDef,
    Const,
    Def,
    For,
    If,
    ImportFrom,
    Stmt,
    With,
)
from tsc.compiler.printing import tree_printer
from tsc.compiler.source import CompileError, Source

from .python_statements import python_statements

MODULES = (
    *("argparse", "calendar", "collections", "csv", "copy", "difflib", "fractions"),
    *("heapq", "json.decoder", "random", "shlex", "statistics", "string", "textwrap"),
)


def compact(tree: object) -> str:
    return re.sub(r"\s*\n\s*", " ", str(tree))


def statements(text: str) -> list[Stmt]:
    return list(parse_source(Source(text)).statements)


def only(text: str) -> Stmt:
    (statement,) = statements(text)
    return statement


def number_by_value(tree: Const) -> tuple[str, ...]:
    if tree.text.startswith("-"):
        return (f"-{Const(tree.range, tree.text[1:]).value!r}",)
    return (repr(tree.value),)


@pytest.mark.parametrize("name", MODULES)
def test_modules_of_the_standard_library_have_the_structure_that_cpython_reads(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Const, "children", property(number_by_value))
    monkeypatch.setattr(tree_printer, "_LINE_WIDTH", 10**9)
    text = inspect.getsource(importlib.import_module(name))
    ours = " ".join(str(parse_source(Source(text))).split())
    assert ours == " ".join(python_statements(text).split())


def test_multiple_targets() -> None:
    tree = only("a = b.c = d[0] = e, f = x")
    assert isinstance(tree, Assign)
    assert [target.range.text for target in tree.lhs_list] == ["a", "b.c", "d[0]", "e, f"]
    assert tree.range.text == "a = b.c = d[0] = e, f = x"


@pytest.mark.parametrize(
    ("operator", "kind"),
    [
        *(("+=", "+"), ("-=", "-"), ("*=", "*"), ("/=", "/"), ("//=", "floordiv"), ("%=", "%")),
        *(("**=", "pow operator"), ("@=", "@"), ("&=", "&"), ("|=", "|"), ("^=", "^")),
        *(("<<=", "<<"), (">>=", ">>")),
    ],
)
def test_augmented_assignment(operator: str, kind: str) -> None:
    expected = f"(aug_assign (variable (ident x)) ({kind}) (const 1))"
    assert compact(only(f"x {operator} 1")) == expected


def test_elif_nests() -> None:
    tree = only("if a:\n  x\nelif b:\n  y\nelse:\n  z\n")
    assert isinstance(tree, If)
    (inner,) = tree.false_branch
    assert isinstance(inner, If)
    assert inner.range.text == "b:\n  y\nelse:\n  z"
    assert tree.range.text == "if a:\n  x\nelif b:\n  y\nelse:\n  z"


def test_suites_on_one_line_and_semicolons() -> None:
    assert compact(only("if a: x; y;\n")) == compact(only("if a:\n  x\n  y\n"))
    assert len(statements("a; b; c")) == 3


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    if x:\n        y\n\n    # comment\n  # less indented\n\n    return z",
        "def f(x):\r\n\tif x:\r\n\t\ty\r\n\treturn z\r\n",
        "\ufeffdef f(x):\n  if x: y\n  return z\n\n\n",
        "   def f(x):\n     if x:\n      y\n     return z\n",
        "\n\n# type: ignore\n\fdef f(x) :\n  if x :\n    y ;\n  return \\\n  z # end",
        "def f(\n  x,\n):\n\n  if (\nx # in brackets\n  ):\n    y\n  return z\n\t\n  ",
    ],
)
def test_layout(text: str) -> None:
    expected = "def f(x):\n    if x:\n        y\n    return z\n"
    assert compact(only(text)) == compact(only(expected))


def test_parameters() -> None:
    text = "def f(a, b: int, /, c=1, *d: str, e, f: List[int] = [2], **g) -> Tuple[int, str]: pass"
    tree = only(text)
    assert isinstance(tree, Def)
    params = tree.decl.params
    assert [param.name for param in params] == list("abcdefg")
    assert [param.positional_only for param in params] == [True] * 2 + [False] * 5
    assert [param.kwarg_only for param in params] == [False] * 4 + [True] * 2 + [False]
    assert [param.prefix for param in params] == ["", "", "", "*", "", "", "**"]
    assert [param.type.range.text if param.type else "" for param in params] == (
        ["", "int", "", "str", "", "List[int]", ""]
    )
    assert params[5].range.text == "f: List[int] = [2]"
    assert tree.decl.return_type is not None
    assert tree.decl.return_type.range.text == "Tuple[int, str]"
    assert tree.decl.range.text == text[text.index("(") : text.index(" ->")]


def test_serialized_python() -> None:
    tree = parse_function(
        Source(
            "def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n"
            "  _0 = torch.add(CONSTANTS.c0, annotate(List[int], []), )\n"
            "  _1 = unchecked_cast(Tensor, x)\n"
            "  if bool(_1):\n    y = -1.\n  else:\n    y = inf\n"
            "  return __torch__.foo.bar(_0, (y,), )\n"
        )
    )
    assert len(tree.statements) == 4


def test_decorators_and_classes() -> None:
    items = statements("@a.b\n@c(1)\ndef f(): pass\n\n@d\nclass C(B, metaclass=M):\n  x: int = 1\n")
    function, klass = items
    assert isinstance(function, Def)
    assert isinstance(klass, ClassDef)
    assert [decorator.range.text for decorator in function.decorators] == ["a.b", "c(1)"]
    assert klass.superclass is not None
    assert klass.superclass.range.text == "B"
    assert [keyword.name.name for keyword in klass.keywords] == ["metaclass"]


def test_imports() -> None:
    (tree,) = statements("from ..a.b import (c as d, e,)")
    assert isinstance(tree, ImportFrom)
    assert (tree.level, tree.module.name) == (2, "a.b")
    assert [alias.bound_name for alias in tree.names] == ["d", "e"]
    (tree,) = statements("from ...... import *")
    assert isinstance(tree, ImportFrom)
    assert (tree.level, tree.module.name, tree.names[0].name.name) == (6, "", "*")


@pytest.mark.parametrize(
    "text",
    ["with a as b, c: pass", "with (a as b, c): pass", "with (a as b, c,): pass"],
)
def test_with_items(text: str) -> None:
    tree = only(text)
    assert isinstance(tree, With)
    assert [compact(item.target) for item in tree.targets] == [
        "(variable (ident a))",
        "(variable (ident c))",
    ]
    assert [item.var is not None for item in tree.targets] == [True, False]


REFUSED = {
    "try:\n    x\nexcept E as e:\n    y\nfinally:\n    z": "try blocks aren't supported",
    "try:\n    x\nfinally:\n    z": "try blocks aren't supported",
    "global a, b": "global variables aren't supported",
    "nonlocal a": "nonlocal variables aren't supported",
    "yield": "generators ('yield') aren't supported",
    "x = yield from y": "generators ('yield') aren't supported",
    "await x": "await expressions aren't supported",
    "async def g(): pass": "async function definitions aren't supported",
    "async for a in b: pass": "async for loops aren't supported",
    "async with a: pass": "async with statements aren't supported",
    "if (a := b): pass": "assignment expressions (':=') aren't supported",
    "for a in b: pass\nelse: pass": "else branches of for loops aren't supported",
    "while a: pass\nelse: pass": "else branches of while loops aren't supported",
    "raise": "'raise' without an exception isn't supported",
    "match x:\n    case [1, *_] | A(b=2) if y: pass\n    case (a as b): pass": (
        "match statements aren't supported"
    ),
    "x = b'a'": "bytes aren't supported",
    "x = f'{a!r}'": "'!r' in the field of an f-string isn't supported",
    "x = f'{a:>{b}}'": "':>{b}' in the field of an f-string isn't supported",
    "x = f'{a = }'": "'=' in the field of an f-string isn't supported",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused_by_name_where_it_is_compiled(text: str) -> None:
    source = Source(f"def f():\n{indent(text, '    ')}\n    return 1\n")
    module = parse_source(source)
    (refusal,) = module.definitions[0].refusals
    assert refusal.message == REFUSED[text]
    assert refusal.hint
    assert refusal.range.line >= 2
    with pytest.raises(CompileError) as raised:
        parse_function(source)
    assert raised.value is not refusal
    assert raised.value.message == refusal.message


def test_refusals_belong_to_their_definitions() -> None:
    module = parse_source(
        Source(
            "try:\n    import a\nexcept E:\n    pass\n"
            "def f():\n    return 1\n"
            "def g():\n    def h():\n        yield b'1'\n    await x\n"
            "async def main(): await f()\n"
        )
    )
    f, g = module.definitions
    assert f.refusals == []
    assert [refusal.range.text for refusal in g.refusals] == ["yield", "b'1'", "await"]
    (h, _) = g.statements
    assert isinstance(h, Def)
    assert len(h.refusals) == 2


@pytest.mark.parametrize(
    ("text", "types", "returned"),
    [
        ("def f(a, b):\n  # type: (int, List[str]) -> int\n  return a", "int|List[str]", "int"),
        ("def f(a, b):  # type: (int, str) -> int\n  return a", "int|str", "int"),
        (
            "def f(a,  # type: int\n      b  # type: str\n      ):\n  # type: (...) -> T\n  return a",
            "int|str",
            "T",
        ),
        ("def f(a,  # type: ignore\n      b):\n  # type: (int, T) -> T\n  return a", "int|T", "T"),
        ("def f(self,\n      a):  # type: int\n  return a", "None|None", None),
        ("def f(self, a):\n  # type: (int) -> int\n  return a", "None|int", "int"),
        ("def f(*a, **b):\n  # type: (*int, **str) -> int\n  return a", "int|str", "int"),
        ("def f(a: int, b):  # type: ignore\n  return a", "int|None", None),
        ("def f(a):\n  # first # type: (int) -> int\n  return a", "None", None),
        ("def f(a):\n  return a  # type: (int) -> int", "None", None),
    ],
)
def test_type_comments(text: str, types: str, returned: str | None) -> None:
    decl = parse_function(Source(text)).decl
    found = [param.type.range.text if param.type else "None" for param in decl.params]
    assert "|".join(found) == types
    assert (decl.return_type.range.text if decl.return_type else None) == returned


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "def f(a,  # type: int\n      b  # type: str\n      ):\n  return a",
            "not found on multiline",
        ),
        ("def f(a,  # type: int\n      b):\n  # type: (int, T) -> T\n  return a", "not found on"),
        (
            "def f(a,  # type: int\n      b):\n  # type: (...) -> T\n  return a",
            "annotations (1) did",
        ),
        ("def f(a, b):\n  # type: (...) -> T\n  return a", "annotations (1) did not match"),
    ],
)
def test_type_comments_behind_parameters_are_for_all_of_them(text: str, problem: str) -> None:
    with pytest.raises(CompileError) as raised:
        parse_function(Source(text))
    assert problem in raised.value.message
    assert raised.value.range.start == 0


def test_a_wrong_type_comment_spoils_its_definition_only() -> None:
    module = parse_source(
        Source("def f(a):\n  # type: (int, int) -> int\n  return a\n\ndef g(): pass")
    )
    f, g = module.definitions
    assert [refusal.range.text for refusal in f.refusals] == ["def f(a):"]
    assert not g.refusals


def test_match_and_case_are_names_elsewhere() -> None:
    text = "match = case\nmatch(x)\nmatch[x:y]\ncase: int\nmatch.case, case[x:y] = x\n"
    kinds = [statement.kind for statement in statements(text)]
    assert kinds == ["assign", "expression statement", "expression statement", "assign", "assign"]


def test_loop_targets() -> None:
    tree = only("for i, (a, *b) in x, y: pass")
    assert isinstance(tree, For)
    assert tree.target.range.text == "i, (a, *b"
    assert tree.iter.range.text == "x, y"
