"""The shipped tables fit the grammar, and the parser works without them as well."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tsc.compiler.frontend import grammar
from tsc.compiler.frontend.tree_builder import TreeBuilder


def test_shipped_tables_are_those_of_the_grammar() -> None:
    """`python -m tsc.compiler.frontend.grammar` writes them."""
    tables = grammar.build_tables(grammar.GRAMMAR_PATH.read_text(encoding="utf-8"))
    assert grammar.encode(tables) == grammar.TABLES_PATH.read_text(encoding="utf-8")


def test_the_grammar_has_no_conflicts() -> None:
    """Lark settles shift against reduce silently, unless it is strict."""
    from lark import Lark, logger

    messages: list[str] = []
    logger.setLevel("DEBUG")
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(logger, "debug", lambda text, *_: messages.append(text))
            Lark(
                grammar.GRAMMAR_PATH.read_text(encoding="utf-8"),
                parser="lalr",
                start=list(grammar.STARTS),
                maybe_placeholders=True,
                debug=True,
            )
    finally:
        logger.setLevel("CRITICAL")
    assert not [text for text in messages if "conflict" in text.lower()]


def test_every_rule_has_a_method() -> None:
    methods = {rule.method for rule in grammar.load_tables().rules if rule.method is not None}
    assert not [method for method in methods if not callable(getattr(TreeBuilder, method, None))]


@pytest.mark.parametrize("content", [None, "", "{}", '{"format": 1, "fingerprint": 0}', "[]"])
def test_missing_or_foreign_tables_are_built_in_memory(
    content: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tables.json"
    if content is not None:
        path.write_text(content)
    monkeypatch.setattr(grammar, "TABLES_PATH", path)
    grammar.load_tables.cache_clear()
    try:
        tables = grammar.load_tables()
    finally:
        grammar.load_tables.cache_clear()
    assert len(tables.actions) > 300
    assert path.exists() == (content is not None)


def test_parsing_does_not_import_lark() -> None:
    program = (
        "import sys; from tsc.compiler.frontend import parse_source; "
        "from tsc.compiler.source import Source; "
        "parse_source(Source('def f(x): return x')); assert 'lark' not in sys.modules"
    )
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", program], check=True, cwd=root)
