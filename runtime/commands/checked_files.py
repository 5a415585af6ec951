"""FILE of `tsc check`: files, folders and patterns become names of files."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from tsc.compiler.source import UsageError

_NEVER = ("__pycache__", "node_modules")
"""Folders that hold no text of the user, beside the hidden ones and those of virtual environments."""


def named_files(given: Iterable[str]) -> list[str]:
    """The files that are meant, in the order given and each once.

    A folder means the ``.py`` files in it and below it, a pattern (``src/**/*.py``) what fits it, if no file is
    called so. What is named as a file stays as it is: reading it says what is wrong with it.

    Raises:
        UsageError: a folder has no such file, or nothing fits a pattern.
    """
    found: dict[str, None] = {}
    for each in given:
        found.update(dict.fromkeys(_files_of(each)))
    return list(found)


def _files_of(given: str) -> list[str]:
    if "\0" in given:
        return [given]
    if Path(given).is_dir():
        return _in_folder(given)
    if not glob.has_magic(given) or Path(given).exists():
        return [given]
    fitting = sorted(glob.glob(given, recursive=True))  # noqa: PTH207
    if not fitting:
        raise UsageError(f"{given}: no file fits")
    files: list[str] = []
    for each in fitting:
        files += _in_folder(each, may_be_empty=True) if Path(each).is_dir() else [each]
    return files


def _in_folder(folder: str, *, may_be_empty: bool = False) -> list[str]:
    files = list(_below(folder))
    if not files and not may_be_empty:
        raise UsageError(f"{folder}: Is a directory; there is no .py file in it")
    return files


def _below(folder: str) -> Iterator[str]:
    """In the order of names, files before folders."""
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if _is_looked_into(path, each))
        for name in sorted(names):
            if name.endswith(".py"):
                yield str(Path(path, name))


def _is_looked_into(path: str, folder: str) -> bool:
    if folder.startswith(".") or folder in _NEVER:
        return False
    return not Path(path, folder, "pyvenv.cfg").exists()
