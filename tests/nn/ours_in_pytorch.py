"""Our layers as ordinary Python under PyTorch's `nn.Module`: the library's files, imported with `torch` beside them.

What a file of the library imports from another one comes from the library as well, everything else from PyTorch: so do
`_single` and `_pair`, which its compiler knows by identity.
"""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from types import SimpleNamespace

from tsc.runtime.library.index import FOLDER

SOURCES = FOLDER / "torch" / "nn"
PACKAGE = "library_in_pytorch"


def layers(folder: Path) -> SimpleNamespace:
    """All public classes of the library; `folder` gets the Python package that they are imported from."""
    copies = {path: folder / PACKAGE / path.relative_to(SOURCES) for path in _files()}
    places = {name: _module(path) for path in copies for name in _names_of(path)}
    for path, copy in copies.items():
        copy.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"from torch\.nn\.(modules(?!\.utils)|utils)\.", rf"from {PACKAGE}.\1.", text)
        text = re.sub(
            r"^from torch\.nn import (.+)$", lambda m: _imports(m[1], places), text, flags=re.M
        )
        copy.write_text(text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    try:
        modules = {name: importlib.import_module(name) for name in places.values()}
    finally:
        sys.path.remove(str(folder))
    return SimpleNamespace(
        **{name: getattr(modules[place], name) for name, place in places.items()}
    )


def as_in_pytorch(text: str) -> str:
    """Qualified names of our classes as PyTorch's own have them."""
    return text.replace(f"__torch__.{PACKAGE}.", "__torch__.torch.nn.")


def _files() -> list[Path]:
    return [path for room in ("modules", "utils") for path in sorted((SOURCES / room).glob("*.py"))]


def _module(path: Path) -> str:
    return f"{PACKAGE}.{path.parent.name}.{path.stem}"


def _names_of(path: Path) -> list[str]:
    return re.findall(r"^class ([A-Z]\w+)", path.read_text(encoding="utf-8"), re.M)


def _imports(names: str, places: dict[str, str]) -> str:
    """One line of imports again, so that line numbers stay."""
    return "; ".join(
        f"from {places[name]} import {name}" if name in places else f"from torch.nn import {name}"
        for name in names.split(", ")
    )
