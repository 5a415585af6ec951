"""What `tsc inspect` advises: how an archive is run, what is tied, what must not be loaded."""

from __future__ import annotations

import json
import os
import pickle
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tsc.cli import main

from .made_archives import RECORDED, archive_of, net

ARCHIVES = Path(__file__).parent.parent / "oracle/archives/recorded"


def tsc(*arguments: str) -> Result:
    result = CliRunner().invoke(main, arguments, prog_name="tsc")
    assert "bug of tsc" not in result.stderr
    return result


def facts_of(path: Path) -> dict[str, Any]:
    return json.loads(tsc("inspect", str(path), "--format", "json").stdout)


class Shell:
    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, ("echo hi",)


@pytest.mark.parametrize("protocol", range(5))
def test_a_pickle_that_runs_programs_is_told_to_be_one_before_all(
    protocol: int, tmp_path: Path
) -> None:
    path = tmp_path / "model.pkl"
    path.write_bytes(pickle.dumps({"w": Shell()}, protocol))
    first, advice, *_ = tsc("inspect", str(path)).stdout.splitlines()
    assert "runs programs when it is loaded" in first
    assert "system" in first
    assert "tsc audit" in advice


@pytest.mark.parametrize("path", sorted(ARCHIVES.glob("*.pt")), ids=lambda path: path.stem)
def test_the_command_that_is_proposed_is_one_that_runs(path: Path) -> None:
    facts = facts_of(path)
    call = facts["likely_call"]
    if call is None:
        return
    result = tsc(*shlex.split(call)[1:])
    assert result.exit_code in (0, 1), result.stderr
    assert "no method" not in result.stderr


@pytest.mark.parametrize("name", ["shape", "ndim", "T", "H"])
def test_what_the_compiler_defines_is_not_in_the_way(name: str, tmp_path: Path) -> None:
    path = archive_of(tmp_path / "net.pt", net(f"_0 = ops.prim.{name}(x)\nreturn x"))
    assert facts_of(path)["lacking_operators"] == []


def test_tensors_agree_with_their_names() -> None:
    for path in (*sorted(ARCHIVES.glob("*.pt")), *sorted(RECORDED.glob("*.p*"))):
        facts = facts_of(path)
        if "totals" not in facts:
            continue
        modules = facts.get("modules", [])
        every = [each for row in modules for each in row["tensors"]]
        every += facts.get("constants", []) + facts.get("tensors", [])
        totals = facts["totals"]
        assert totals["names"] == len(every)
        tied = [each for each in every if each["same_as"] is not None]
        assert totals["tensors"] >= totals["names"] - len(tied) - len(facts.get("constants", []))
        if modules:
            assert modules[0]["total_parameters"] == totals["parameters"]
