"""What object code depends on besides what it is made from: the processor, and who makes code how."""

from __future__ import annotations

import functools
import importlib.util
import os
import platform
import sys
from pathlib import Path
from typing import Final

from tsc.runtime.values.tensor import Tensor

_PROCESSORS: Final = Path("/proc/cpuinfo")
_PACKAGE: Final = Path(__file__).parents[3]
_MAKERS: Final = ("runtime/native", "runtime/operators", "compiler/schema")
"""Folders whose files say what becomes of a graph."""
_CHANGING: Final = ("cpu MHz", "bogomips", "apicid", "initial apicid", "processor", "core id")


@functools.cache
def conditions() -> tuple[str, ...] | None:
    """Code that was made under the same conditions may be run; None where they cannot be told."""
    processor = _processor()
    if processor is None:
        return None
    versions = (sys.version, platform.machine(), sys.implementation.cache_tag or "")
    return (*versions, processor, _llvm(), *_files(), repr(Tensor.__slots__))


@functools.cache
def has_wide_vectors() -> bool:
    """Whether the processor has registers of 64 bytes and 32 of them, as far as the system tells."""
    return " avx512f " in f"{_processor()} "


def vector_bytes() -> int:
    """Of the vectors that kernels are written with."""
    return 64 if has_wide_vectors() else 32


def _processor() -> str | None:
    """What the system says of the first processor, without what changes while it runs."""
    try:
        described = _PROCESSORS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    lines = described.split("\n\n")[0].splitlines()
    return "\n".join(line for line in lines if line.split("\t")[0] not in _CHANGING)


def _llvm() -> str:
    """Which llvmlite is installed, and so which LLVM; it is not imported for this."""
    found = importlib.util.find_spec("llvmlite")
    folders = (found and found.submodule_search_locations) or [""]
    return _state(Path(folders[0]) / "_version.py")


def _files() -> list[str]:
    """The files of tsc that have to do with it."""
    return [
        _state(Path(folder) / name)
        for maker in _MAKERS
        for folder, inner, names in os.walk(_PACKAGE / maker)
        for name in _in_order(inner, names)
    ]


def _in_order(inner: list[str], names: list[str]) -> list[str]:
    inner[:] = sorted(each for each in inner if each != "__pycache__")
    return sorted(name for name in names if name.endswith(".py"))


def _state(path: Path) -> str:
    try:
        found = path.stat()
    except OSError:
        return str(path)
    return f"{path} {found.st_size} {found.st_mtime_ns}"
