"""Modules exported here and by ``torch.export``: column by column, what is equal, and each deviation."""

from __future__ import annotations

import inspect
import io
import logging
import warnings
from collections import Counter
from collections.abc import Iterator
from difflib import unified_diff
from typing import Any

import torch

import tsc

from .forms import Form, of_pytorch, of_tsc
from .modules import Compared, compared

COLUMNS = ("captured", "core", "aten", "signature", "constraints", "metadata", "paths")


class NotComparedError(Exception):
    """PyTorch makes no archive or no program of a module, or one that is not the module."""


def outcomes(case: Compared) -> dict[str, str]:
    """By column, the first deviation, or nothing where both are equal. Raises `NotComparedError`."""
    program = _program_of_pytorch(case)
    try:
        archive = _loaded(case)
    except Exception as error:
        raise NotComparedError(f"PyTorch makes no archive of it: {_line(error)}") from error
    try:
        ours = _of_tsc(case, archive)
    except tsc.Error as error:
        _refuse_unfaithful(case, program)
        return dict.fromkeys(COLUMNS, f"refused: {_line(error)}")
    return dict(_columns(ours, _of_pytorch(program)))


def _line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _program_of_pytorch(case: Compared) -> torch.export.ExportedProgram:
    args, kwargs = case.arguments()
    declared = case.declared and case.declared(torch.export.Dim)
    if declared is not None and kwargs:
        declared = dict(zip([*_names(case), *kwargs], declared, strict=False))
    try:
        return torch.export.export(case.module(), args, kwargs, dynamic_shapes=declared)
    except Exception as error:
        raise NotComparedError(f"PyTorch does not export it: {_line(error)}") from error


def _refuse_unfaithful(case: Compared, program: torch.export.ExportedProgram) -> None:
    """Raise `NotComparedError` for a program that PyTorch does not load, or that is not the module, called twice."""
    content = io.BytesIO()
    try:
        torch.export.save(program, content)
        loaded = torch.export.load(io.BytesIO(content.getvalue())).module()
    except Exception as error:
        raise NotComparedError(f"PyTorch does not load its own file: {_line(error)}") from error
    module = case.module()
    for _ in range(2):
        args, kwargs = case.arguments()
        expected = module(*args, **kwargs)
        try:
            args, kwargs = case.arguments()
            torch.testing.assert_close(loaded(*args, **kwargs), expected)
        except Exception as error:
            told = f"PyTorch's program is not the module: {_line(error)}"
            raise NotComparedError(told) from error


def _of_pytorch(program: torch.export.ExportedProgram) -> dict[str, Form]:
    return {
        "captured": of_pytorch(program),
        "core": of_pytorch(program.run_decompositions()),
        "aten": of_pytorch(program.run_decompositions({})),
    }


def _names(case: Compared) -> list[str]:
    return list(inspect.signature(case.module().forward).parameters)[: len(case.args)]


def _of_tsc(case: Compared, archive: Any) -> dict[str, Form]:
    args, kwargs = case.arguments()
    declared = case.declared and case.declared(tsc.Dim)
    program = tsc.export(archive, args, kwargs, dynamic_shapes=declared)
    return {
        "captured": of_tsc(program),
        "core": of_tsc(program.run_decompositions()),
        "aten": of_tsc(program.run_decompositions(())),
    }


def _loaded(case: Compared) -> Any:
    archive: Any = case.archive()
    if not isinstance(archive, torch.jit.ScriptModule):
        return archive
    content = io.BytesIO()
    torch.jit.save(archive, content)
    return tsc.load(io.BytesIO(content.getvalue()))


def _columns(ours: dict[str, Form], theirs: dict[str, Form]) -> Iterator[tuple[str, str]]:
    for dialect in ("captured", "core", "aten"):
        yield dialect, _difference(ours[dialect].operators, theirs[dialect].operators)
    first, second = ours["aten"], theirs["aten"]
    yield "signature", _difference(first.signature, second.signature)
    yield "constraints", _difference(_lines(first.constraints), _lines(second.constraints))
    for name in ("metadata", "paths"):
        pairs = [
            (getattr(ours[each], name), getattr(theirs[each], name))
            for each in ("captured", "core", "aten")
            if ours[each].operators == theirs[each].operators
        ]
        if name == "paths":
            pairs = [_told_by_both(*each) for each in pairs]
        differences = [_difference(*each) for each in pairs]
        yield name, next(filter(None, differences), "") if pairs else "other operators"


def _told_by_both(ours: list[str], theirs: list[str]) -> tuple[list[str], list[str]]:
    """Without the nodes whose modules PyTorch does not tell: its decompositions lose those of some."""
    kept = [place for place, each in enumerate(theirs) if not each.startswith("_empty_nn")]
    return [ours[place] for place in kept], [theirs[place] for place in kept]


def _lines(ranges: dict[str, str]) -> list[str]:
    return sorted(f"{name}: {each}" for name, each in ranges.items())


def _difference(ours: list[str], theirs: list[str]) -> str:
    found = [
        each
        for each in unified_diff(theirs, ours, lineterm="", n=0)
        if not each.startswith(("---", "+++", "@@"))
    ]
    more = f" … ({len(found)} lines)" if len(found) > 6 else ""
    return "; ".join(found[:6]) + more


def main(wanted: list[str]) -> None:
    """Print each deviation, and the shares."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    equal: Counter[str] = Counter()
    total = 0
    step, names = _step(wanted)
    for number, case in enumerate(compared()):
        if number % step or (names and not any(each in case.name for each in names)):
            continue
        try:
            found = _guarded(case)
        except NotComparedError as error:
            print(f"{case.name}: not compared: {error}", flush=True)
            continue
        total += 1
        for column, told in found.items():
            equal[column] += not told
        for line in _lines_of(found):
            print(f"{case.name}: {line}", flush=True)
    for column in COLUMNS:
        print(f"{column}: {equal[column]} of {total} equal ({equal[column] / max(total, 1):.1%})")


def _lines_of(found: dict[str, str]) -> Iterator[str]:
    """A line for each deviation, of refusals one for all columns."""
    told = [each for each in found.values() if each]
    if len(told) == len(COLUMNS) and len(set(told)) == 1:
        yield told[0]
        return
    yield from (f"{column}: {each}" for column, each in found.items() if each)


def _step(wanted: list[str]) -> tuple[int, list[str]]:
    """Every which case is compared (``/3``), and the names."""
    steps = [int(each[1:]) for each in wanted if each.startswith("/")]
    return (steps or [1])[0], [each for each in wanted if not each.startswith("/")]


def _guarded(case: Compared) -> dict[str, str]:
    try:
        return outcomes(case)
    except NotComparedError:
        raise
    except Exception as error:  # noqa: BLE001  a line of the table
        return dict.fromkeys(COLUMNS, f"fails: {type(error).__name__}: {error}")
    finally:
        torch._dynamo.reset()
