"""The classes of ``torch.nn``: source files of the library, found by a scan, parsed on demand."""

from __future__ import annotations

import functools
import re

from tsc.compiler.compile import Toolchain
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.runtime.library.index import FOLDER

MODULES = "torch.nn.modules"
UTILITIES = "torch.nn.utils"
_FUNCTION = re.compile(r"^def (\w+)", re.MULTILINE)
_CLASS = re.compile(r"^class (\w+)", re.MULTILINE)


@functools.cache
def files() -> dict[str, str]:
    """The text of each file of ``torch.nn.modules`` and ``torch.nn.utils``, by its dotted path."""
    return {
        f"{folder}.{path.stem}": path.read_text(encoding="utf-8")
        for folder in (MODULES, UTILITIES)
        for path in sorted(FOLDER.joinpath(*folder.split(".")).glob("*.py"))
    }


@functools.cache
def home_of_classes() -> dict[str, str]:
    """The dotted path of the file in which a class of ``torch.nn`` is defined, by its name."""
    return {
        match[1]: path
        for path, text in files().items()
        if path.startswith(MODULES)
        for match in _CLASS.finditer(text)
    }


@functools.cache
def home_of_utilities() -> dict[str, str]:
    """The same of the functions that ``torch.nn.utils`` offers itself."""
    path = f"{UTILITIES}.convert_parameters"
    return dict.fromkeys(_FUNCTION.findall(files()[path]), path)


def resolver_of(path: str, toolchain: Toolchain) -> SourceResolver:
    """The resolver of one of the `files`."""
    resolver = toolchain.library_file(path)
    assert resolver is not None, path
    return resolver
