"""Every key of the JSON that `tsc inspect` and `tsc audit` write is explained on the page about the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tsc.cli import main

ROOT = Path(__file__).parent.parent.parent
ARCHIVES = ROOT / "tests" / "serialization" / "archives"
PAGE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
BY_NAME = {"attributes", "constants", "operators", "torchbind_classes", "devices_in_code"}
BY_NAME |= {"functions", "extra_files", "code", "values", "by_dtype", "devices"}
BY_NAME |= {"inputs", "outputs", "range_constraints", "guards"}
"""What these hold is keyed by names of the file."""


def keys_of(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from keys_of(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield key
            if key not in BY_NAME or isinstance(each, list):
                yield from keys_of(each)


@pytest.mark.parametrize(
    ("command", "section"),
    [
        ("inspect --code", "## tsc inspect"),
        ("inspect", "## tsc inspect"),
        ("audit", "## tsc audit"),
    ],
)
@pytest.mark.parametrize(
    "name",
    [
        *("attributes.pt", "frozen.pt", "checkpoint.pth", "whole.pth"),
        "../../exir/programs_of_pytorch/Counter.pt2",
    ],
)
def test_every_key_is_explained(command: str, section: str, name: str) -> None:
    text = PAGE.partition(section)[2].partition("\n## ")[0]
    arguments = [*command.split(), str(ARCHIVES / name), "--format", "json"]
    found = json.loads(CliRunner().invoke(main, arguments, prog_name="tsc").stdout)
    missing = {key for key in keys_of(found) if f"`{key}`" not in text}
    assert missing == set()
