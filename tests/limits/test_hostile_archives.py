"""Archives that would take all time or memory: loading them ends in one clear error."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.limits.hostile import api, command, some
from tests.limits.hostile_archives import ARCHIVES

HARMLESS = [ARCHIVES[name] for name in ("shared lists as constants", "types of nested tuples")]
"""What only looks large."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", some(list(ARCHIVES)))
def test_loading_ends(tmp_path: Path, kind: str) -> None:
    content = ARCHIVES[kind]
    file = tmp_path / "m.pt"
    file.write_bytes(content)
    ended = api(f"tsc.load({str(file)!r})")
    ended.check_calm()
    assert "\x1b" not in ended.errors + ended.output
    assert ended.status == 1 or content in HARMLESS, ended.errors[-500:]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["check", "compile", "print-code", "inspect", "audit", "run"])
@pytest.mark.parametrize("kind", some(list(ARCHIVES))[::3])
def test_commands_end(tmp_path: Path, name: str, kind: str) -> None:
    file = tmp_path / "m.pt"
    file.write_bytes(ARCHIVES[kind])
    command(name, str(file)).check_calm()
