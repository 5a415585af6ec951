"""Programs that parse but do not compile, with the whole message: ``emission/*.txt``.

A file holds cases: ``=== name``, the source text, ``---``, the message. ``make bless`` writes the
messages anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tsc.compiler.compile import compile_source
from tsc.compiler.source import CompileError, Source
from tsc.runtime.execution.toolchain import toolchain

FOLDER = Path(__file__).parent / "emission"


def read_cases(path: Path) -> dict[str, tuple[str, str]]:
    """Source text and message by the name of the case."""
    cases: dict[str, tuple[str, str]] = {}
    for chunk in ("\n" + path.read_text(encoding="utf-8")).split("\n=== ")[1:]:
        name, _, body = chunk.partition("\n")
        source, _, message = body.partition("\n---")
        cases[name] = (source + "\n", message.strip("\n"))
    return cases


def write_cases(path: Path, cases: dict[str, tuple[str, str]]) -> None:
    chunks = [f"=== {name}\n{source}---\n{message}\n" for name, (source, message) in cases.items()]
    path.write_text("".join(chunks), encoding="utf-8")


def message_for(source: str) -> str:
    with pytest.raises(CompileError) as caught:
        compile_source(Source(source, "program.py"), toolchain())
    return str(caught.value)


def parameters() -> list[object]:
    return [
        pytest.param(path, name, id=f"{path.stem}/{name}")
        for path in sorted(FOLDER.glob("*.txt"))
        for name in read_cases(path)
    ]


@pytest.mark.parametrize(("path", "name"), parameters())
def test_message(path: Path, name: str) -> None:
    cases = read_cases(path)
    source, expected = cases[name]
    message = message_for(source)
    if os.environ.get("TSC_BLESS") and message != expected:
        write_cases(path, cases | {name: (source, message)})
    else:
        assert message == expected
