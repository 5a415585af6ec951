"""The index of operators: which family declares which schema, remembered between runs.

With it a program is compiled without importing a kernel, nor NumPy; a family is imported when one of its
kernels is first asked for. The index is a cache: it names the size and the time of every file that it was
made from, and is made again when one of them has changed. Without a place to keep it, all families are imported.
"""

from __future__ import annotations

import functools
import json
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from tsc.compiler.schema import Aliasing, Effects, Operator, OperatorTable
from tsc.runtime.operators.registration import FamilyTable

FOLDER = Path(__file__).parent
_FORMAT = 4

Entry = tuple[str, str, dict[str, Any]]
"""Schema text, family, and what else the compiler may ask, where it is not the usual."""


def load_indexed(table: OperatorTable) -> bool:
    """Fill `table` with promises of all operators; False if there is no index that fits the files."""
    try:
        index = json.loads(cache_file().read_text(encoding="utf-8"))
        entries: dict[str, list[Entry]] = index["entries"] if index["key"] == key() else {}
    except (OSError, ValueError, KeyError, TypeError):
        return False

    def overloads_of(name: str) -> list[Operator]:
        return [
            Operator(text, load=_loader(family), **(_read_facts(facts) if facts else facts))
            for text, family, facts in entries[name]
        ]

    table.promise(entries, overloads_of)
    return bool(entries)


def _written_facts(operator: Operator) -> dict[str, Any]:
    """What is known of an operator before its kernel is loaded, as JSON has it."""
    facts: dict[str, Any] = {
        name: fact.value if isinstance(fact, Enum) else fact
        for name, fact in operator.facts.items()
    }
    return facts | {"node_kernel": True} if operator.node_kernel else facts


def _read_facts(facts: dict[str, Any]) -> dict[str, Any]:
    read: dict[str, Callable[[str], object]] = {"effects": Effects, "aliasing": Aliasing}
    return {name: read[name](fact) if name in read else fact for name, fact in facts.items()}


@functools.cache
def _loader(family: str) -> Callable[[], object]:
    return partial(import_module, f"tsc.runtime.operators.{family}")


def save_index(table: FamilyTable) -> None:
    """Remember the operators of `table`, all of whose families have been imported."""
    entries: dict[str, list[Entry]] = {
        name: [
            (operator.text, table.families[operator.qualified_name], _written_facts(operator))
            for operator in table.operators_for(name)
        ]
        for name in table.names()
    }
    content = json.dumps({"key": key(), "entries": entries})
    path = cache_file()
    unfinished = path.with_name(f"{path.name}.{os.urandom(8).hex()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with unfinished.open("x", encoding="utf-8") as file:
            file.write(content)
        unfinished.replace(path)
    except OSError:
        with suppress(OSError):
            unfinished.unlink()


def key() -> list[Any]:
    """What the index depends on: the format, and the name, size and time of each file here."""
    found = [(file.path, file.stat()) for file in _files(FOLDER)]
    return [_FORMAT, str(FOLDER), *sorted([name, s.st_size, s.st_mtime_ns] for name, s in found)]


def _files(folder: str | Path) -> Iterator[os.DirEntry[str]]:
    """The Python files in a folder and the folders in it."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _files(entry.path)


def cache_file() -> Path:
    """Where the index is kept: in the user's cache folder, one for each place where tsc is installed."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "tsc" / f"operators-{zlib.crc32(os.fsencode(FOLDER)):08x}.json"
