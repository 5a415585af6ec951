"""The page about Python is complete: every public name, and every public member of functions, modules and tensors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tsc
from tsc.runtime.python_api.script_module import ModuleMethod

PAGE = (Path(__file__).parent.parent.parent / "docs" / "python-api.md").read_text(encoding="utf-8")
INTERNAL = {
    "function", "module", "array", "has_array", "autograd", "constant_text", "constant_type",
}  # fmt: skip
"""Attributes that only the runtime itself has a use for."""
CONVERSIONS = {
    "byte",
    "char",
    "double",
    "float",
    "half",
    "int",
    "long",
    "short",
    "bool",
    "bfloat16",
}
"""Operators like any other, which the page tells of together."""


def quoted() -> str:
    """All code on the page."""
    return "\n".join(re.findall(r"`[^`\n]+`", PAGE))


@pytest.mark.parametrize("name", tsc.__all__)
def test_every_public_name_is_on_the_page(name: str) -> None:
    assert re.search(rf"`[^`\n]*\btsc\.{name}\b[^`\n]*`", PAGE), f"tsc.{name} is not on the page"


@pytest.mark.parametrize("owner", [tsc.ScriptFunction, tsc.ScriptModule, ModuleMethod, tsc.Tensor])
def test_every_public_member_is_on_the_page(owner: type) -> None:
    left_out = INTERNAL | (CONVERSIONS if owner is tsc.Tensor else set())
    public = {name for name in dir(owner) if not name.startswith("_")} - left_out
    code = quoted()
    assert {name for name in public if not re.search(rf"\.{name}\b", code)} == set()
