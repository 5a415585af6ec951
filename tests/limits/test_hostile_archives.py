"""Archives that would take all time or memory: loading them ends in one clear error."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.limits.forked import Trial, endings
from tests.limits.hostile import some
from tests.limits.hostile_archives import ARCHIVES

HARMLESS = ("shared lists as constants", "types of nested tuples")
"""What only looks large."""
_COMMANDS = ("check", "compile", "print-code", "inspect", "audit", "run")


def _written(folder: Path, kinds: list[str]) -> list[tuple[str, str]]:
    """Archives of these kinds with the paths of their files."""
    paths = [(kind, str(folder / f"{number}.pt")) for number, kind in enumerate(kinds)]
    for kind, path in paths:
        Path(path).write_bytes(ARCHIVES[kind])
    return paths


@pytest.mark.slow
def test_loading_ends(tmp_path: Path) -> None:
    trials: list[Trial] = [
        (kind, ["load", path]) for kind, path in _written(tmp_path, some(list(ARCHIVES)))
    ]
    for kind, ended in endings(trials):
        ended.check_calm()
        assert "\x1b" not in ended.errors + ended.output
        assert ended.status == 1 or kind in HARMLESS, (kind, ended.errors[-500:])


@pytest.mark.slow
def test_commands_end(tmp_path: Path) -> None:
    paths = _written(tmp_path, some(list(ARCHIVES))[::3])
    trials: list[Trial] = [
        (kind, ["tsc", name, path]) for kind, path in paths for name in _COMMANDS
    ]
    for _, ended in endings(trials):
        ended.check_calm()
