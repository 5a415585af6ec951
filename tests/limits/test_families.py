"""Files of many families that are made to hurt: whoever reads one ends soon, small and with a clear error, or well.

All in ``make hostile``, a fifth under ``-m slow``, otherwise a few of each; actions take turns.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from tests import work
from tests.limits.families import codes, constructors, pickles, tensors, zips
from tests.limits.families.cases import Case, cases_of
from tests.limits.forked import Trial, endings, problems
from tests.serialization.hostile_zips import zip_of

ARCHIVES = [
    *pickles.cases(),
    *(case for part in (zips, tensors, codes) for case in cases_of(part.FAMILIES)),
]
CONSTRUCTORS = list(constructors.cases())
_OF_ARCHIVES: Sequence[Sequence[str]] = (
    *(["load"], ["tsc", "inspect"], ["tsc", "audit"], ["take out"], ["tsc", "check"]),
    *(["tsc", "print-code"], ["tsc", "run", "--max-memory", "128M"], ["tsc", "compile"]),
)
"""What runs has no limits of its own: its memory has one here, for some of the cases make as much as they may."""
_OF_SOURCES: Sequence[Sequence[str]] = (["construct"], ["tsc", "check"], ["tsc", "compile"])
_EVERY = bool(os.environ.get("TSC_EVERY_CASE"))


def _trials(
    folder: Path, cases: Sequence[Case], actions: Sequence[Sequence[str]], suffix: str, turn: int
) -> Iterable[Trial]:
    step = 1 if _EVERY else 5 if work.whole_size else 120
    for number, (name, make) in list(enumerate(cases))[step // 2 :: step]:
        file = folder / f"{number}{suffix}"
        content = make()
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        action = actions[(number + turn) % len(actions)]
        yield f"{name} ({' '.join(action)})", [*action, str(file)]


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(len(_OF_ARCHIVES)) if _EVERY else [0])
def test_archives_end(tmp_path: Path, turn: int) -> None:
    assert not problems(_trials(tmp_path, ARCHIVES, _OF_ARCHIVES, ".pt", turn))


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(len(_OF_SOURCES)) if _EVERY else [0])
def test_constructors_end(tmp_path: Path, turn: int) -> None:
    assert not problems(_trials(tmp_path, CONSTRUCTORS, _OF_SOURCES, ".py", turn))


def test_each_kind_would_load_if_it_were_harmless(tmp_path: Path) -> None:
    """What is refused is refused for what is hostile in it."""
    harmless = {
        "pickles": pickles.PLACES["as an attribute"](b"K\1"),
        "constants": pickles.PLACES["as constants"](b"K\1"),
        "zips": zip_of(dict(zips.RECORDS)),
        "tensors": tensors.model_with(tensors.tensor()),
        "modules": tensors.nested_modules(3),
        "codes": codes.with_body("return 1"),
        "states": codes.setting("self.b = 1"),
    }
    trials: list[Trial] = []
    for name, content in harmless.items():
        (tmp_path / f"{name}.pt").write_bytes(content)
        trials.append((name, ["load", str(tmp_path / f"{name}.pt")]))
    assert {name: ended.errors for name, ended in endings(trials) if ended.status} == {}


def test_there_are_many_of_each() -> None:
    assert len(ARCHIVES) > 2000
    assert len(CONSTRUCTORS) > 700
