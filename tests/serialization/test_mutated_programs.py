"""Archives whose code, pickles and version are mutated: loading, compiling and saving end in tsc's own errors."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

import pytest

import tsc
from tsc.compiler.ir import Function

RECORDED = Path(__file__).parents[1] / "oracle" / "archives" / "recorded"
ARCHIVES = sorted(RECORDED.glob("*.pt"))
SEEDS = 160


def mutated(content: bytes, chance: random.Random) -> bytes:
    """A record with bytes changed, cut or repeated, or with lines or words in other places."""
    kind, place = chance.randrange(5), chance.randrange(max(len(content), 1))
    if kind == 0:
        return content[:place] + bytes([chance.randrange(256)]) + content[place + 1 :]
    if kind == 1:
        return content[:place] + content[place + chance.randint(1, 20) :]
    if kind == 2:
        return content[:place] + content[place // 2 : place // 2 + 30] + content[place:]
    parts = content.split(b"\n" if kind == 3 else b" ")
    first, second = chance.randrange(len(parts)), chance.randrange(len(parts))
    parts[first], parts[second] = parts[second], parts[first]
    return (b"\n" if kind == 3 else b" ").join(parts)


def mutated_archive(seed: int) -> bytes:
    chance = random.Random(seed)
    with zipfile.ZipFile(chance.choice(ARCHIVES)) as archive:
        records = {name: archive.read(name) for name in archive.namelist()}
    ends = (".py", "version") if chance.random() < 0.7 else (".pkl",)
    for _ in range(chance.randint(1, 2)):
        name = chance.choice([name for name in records if name.endswith(ends)])
        records[name] = mutated(records[name], chance)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in records.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return target.getvalue()


def use(content: bytes) -> str:
    """How far a use of the archive comes; anything but tsc's errors goes through."""
    try:
        module = tsc.load(content)
    except tsc.ArchiveError:
        return "refused"
    try:
        for each in module.modules():
            for method in each.script_object.script_type.methods.values():
                assert isinstance(method, Function)
                method.ensure_defined()
        module.save(io.BytesIO())
    except tsc.Error:
        return "does not compile"
    return "good"


@pytest.mark.parametrize("start", range(0, SEEDS, 20))
def test_mutated_archives_end_in_errors_of_tsc(start: int) -> None:
    found = [use(mutated_archive(seed)) for seed in range(start, start + 20)]
    assert "refused" in found


def test_unchanged_archives_are_good() -> None:
    assert {use(path.read_bytes()) for path in ARCHIVES[:5]} == {"good"}
