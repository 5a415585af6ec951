"""Outlines: what is parsed later is what would have been parsed at once."""

from __future__ import annotations

import re
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.work import calls_made
from tsc.compiler.frontend.outline import Postponed, parse_on_demand, parse_outline
from tsc.compiler.frontend.parser import parse_source
from tsc.compiler.frontend.tree_views import ClassDef, Def, Module
from tsc.compiler.source import CompileError, Source

TESTS = Path(__file__).parent.parent
SAMPLES = sorted((TESTS.parent / "samples").rglob("*.py"))
PROGRAMS = sorted((TESTS / "oracle" / "programs").rglob("*.txt"))
ARCHIVES = sorted((TESTS / "oracle" / "archives" / "recorded").glob("*.pt"))


def definitions(module: Module) -> Iterator[Def]:
    for statement in module.statements:
        if isinstance(statement, Def):
            yield statement
        elif isinstance(statement, ClassDef):
            yield from (each for each in statement.body if isinstance(each, Def))


def postponed(module: Module) -> list[Def]:
    return [each for each in definitions(module) if isinstance(each.statements, Postponed)]


def check_text(text: str) -> int:
    """Compare both ways; how many bodies were left for later."""
    whole, outline = parse_source(Source(text)), parse_outline(Source(text))
    assert not any(each.statements.is_parsed for each in postponed(outline))  # type: ignore[attr-defined]
    at_once, later = list(definitions(whole)), list(definitions(outline))
    assert list(map(extents, later)) == list(map(extents, at_once))
    assert [str(each) for each in later] == [str(each) for each in at_once]
    for one, other in zip(at_once, later, strict=True):
        assert positions(one) == positions(other)
        assert [str(error) for error in one.refusals] == [str(error) for error in other.refusals]
    return len(postponed(outline))


def extents(definition: Def) -> list[tuple[int, int]]:
    return [(each.start, each.end) for each in (definition.extent, definition.head)]


def positions(definition: Def) -> list[tuple[int, int]]:
    return [(each.range.start, each.range.end) for each in definition.statements]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples_are_the_same(path: Path) -> None:
    assert check_text(path.read_text(encoding="utf-8")) > 0


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_programs_of_the_corpus_are_the_same(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    programs = re.split(r"^>>> .*\n|^=== .*\n", text, flags=re.MULTILINE)
    assert sum(check_text(each) for each in programs if "def " in each) > 0


@pytest.mark.parametrize("path", ARCHIVES, ids=lambda path: path.stem)
def test_code_of_archives_is_the_same(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith(".py"):
                check_text(archive.read(name).decode("utf-8"))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("def f():\n    return 1\ndef g():\n    return 2", 2),
        ("def f(): return 1\ndef g():\n    return 2\n", 1),
        ("def f():\n  return g(\n1,\n2)\nx = 1\n", 1),
        ('def f():\n  x = """\ndef g():\n  pass\n"""\n  return x\n', 1),
        ("def f():\n  x = '(' + \"[\" + '\\'{'\n  return x\n", 1),
        ("def f():\n  return 1 + \\\n2\ndef g():\n  return 3\n", 2),
        ("def f():\n  x = 1\n# outside (\n  return x  # [\n\n# last\n", 1),
        ("def f():\n  # type: () -> int\n  return 1\n", 1),
        ("def f(x,  # type: int\n      ):\n  # type: (...) -> int\n  return x\n", 1),
        ("def f():  # {\n\n  # (\n  return 1\n", 1),
        ("def f() -> Dict[str, int]:\n  return {'a': 1}\n", 1),
        ("def f(x: int = {1: 2}[1]) -> int:\n\treturn x\nx = 1\n", 1),
        ("class A:\n  @staticmethod\n  def f():\n    def g():\n      return 1\n    return g()\n  x: int\n", 1),
        ("class A:\n  def f(self):\n    pass\n  def g(self):\n    return 1\n", 1),
        ("def f():\n  for i in x:\n    try:\n      yield 1\n    except:\n      pass\n", 1),
        ("def f(x):\n  return f'{x[\"a\"]} (' + rf\"{x}\"\n", 0),
        ("def f(x):\n  return if'a' (\n", None),
        ("def f(x):\n  return (]\n", None),
        ("def f(x):\n  return (\n", None),
        ("def f(x):\n  return 'a\n", None),
        ("def f(x):\n  return '''a\n", None),
        ("def f(x):\nreturn 1\n", None),
        ("def f(x):\n", None),
        ("def f(x)\n  return 1\n", None),
    ],
)  # fmt: skip
def test_bodies_are_left_where_their_end_is_plain(text: str, count: int | None) -> None:
    if count is not None:
        assert check_text(text) == count
        return
    with pytest.raises(CompileError) as expected:
        parse_source(Source(text))
    with pytest.raises(CompileError) as found:
        parse_outline(Source(text))
    assert str(found.value) == str(expected.value)


@pytest.mark.parametrize(
    "body",
    ["    return 1 +", "    x = = 2\n    return x", "      x = 1\n    return x", "    return $"],
)
def test_mistakes_in_a_body_are_told_when_it_is_parsed(body: str) -> None:
    source = Source(
        f"class A:\n  def f(self):\n    return 1\n  def g(self):\n{body}\n  def h(self):\n    pass\n"
    )
    with pytest.raises(CompileError) as expected:
        parse_source(source)
    _, broken, _ = definitions(parse_outline(source))
    with pytest.raises(CompileError) as found:
        list(broken.statements)
    assert found.value.range == expected.value.range
    assert found.value.message == expected.value.message


def test_the_work_for_a_text_is_in_proportion_to_its_length() -> None:
    def text(functions: int, lines: int) -> str:
        line = '    x = g((((x, )))[0], "text", {1: 2})  # a note\n'
        return "".join(f"def f{i}(x):\n{line * lines}    return x\n" for i in range(functions))

    def work(functions: int, lines: int) -> int:
        return calls_made(lambda: parse_outline(Source(text(functions, lines))))

    assert work(200, 20) < 2.1 * work(100, 20)
    assert work(100, 40) < 2.1 * work(100, 20)


def _long(last: str) -> str:
    """A text that is not short, with a last definition."""
    return "".join(f"def f{i}(x: int) -> int:\n    return x + {i}\n" for i in range(300)) + last


def test_a_long_text_is_parsed_as_it_is_needed() -> None:
    module = parse_on_demand(Source(_long("def g(x: int):\n    return f7(x)\n")))
    assert len(postponed(module)) == 301
    text = str(definitions_by_name(module)["f7"])
    assert "return" in text
    parsed = [each for each in postponed(module) if each.statements.is_parsed]  # type: ignore[attr-defined]
    assert [each.name.name for each in parsed] == ["f7"]


def definitions_by_name(module: Module) -> dict[str, Def]:
    return {each.name.name: each for each in definitions(module)}


@pytest.mark.parametrize(
    "last",
    ["def g(x):\n    return x +\n", "def g(x):\n    return (x\n", "x = 1 = = 2\n"],
)  # fmt: skip
def test_mistakes_anywhere_in_a_long_text_are_told_at_once(last: str) -> None:
    with pytest.raises(CompileError) as expected:
        parse_source(Source(_long(last)))
    with pytest.raises(CompileError) as found:
        parse_on_demand(Source(_long(last)))
    assert str(found.value) == str(expected.value)


def test_what_python_would_nest_too_deep_is_parsed_at_once() -> None:
    text = _long(f"x = {'1 + ' * 200_000}1\n")
    assert postponed(parse_on_demand(Source(text))) == []


def test_a_long_text_is_parsed_where_no_stack_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    before = threading.stack_size()
    text = "".join(f"def f{number}(x):\n    return x + {number}\n" for number in range(400))
    functions = parse_on_demand(Source(text)).statements
    assert len(functions) == 400
    assert not isinstance(functions[0].statements, Postponed)
    assert threading.stack_size() == before
