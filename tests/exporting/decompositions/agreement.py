"""``python -m tests.exporting.decompositions.agreement``: programs decomposed here and in PyTorch.

They are the archives of the archive tests, exported here, and the modules that PyTorch exports. Prints those that do
not become the same operators in the same order, and how many do.
"""

from __future__ import annotations

import copy
import io
import logging
import warnings
from collections.abc import Iterator
from typing import Any

import torch
from torch.utils import _pytree

import tsc
from tests.exir.exported_modules import CASES
from tests.oracle.archives.table import SAMPLES
from tsc.compiler.exir.node import Op

EQUAL = "equal"
_NUMBERS = ("_operator.", "<built-in function ", "<function ")


def captured() -> Iterator[tuple[str, bytes]]:
    """The calls of the archive tests that tsc exports, as files."""
    for sample in SAMPLES:
        content = io.BytesIO()
        torch.jit.save(sample.make(), content)
        for number, call in enumerate(sample.calls):
            module = tsc.load(io.BytesIO(content.getvalue()))
            try:
                program = tsc.export(module, copy.deepcopy(call.arguments), method=call.method)
            except tsc.Error:
                continue
            written = io.BytesIO()
            tsc.save_exported(program, written)
            yield f"{sample.name}.{call.method}[{number}]", written.getvalue()


def of_pytorch() -> Iterator[tuple[str, bytes]]:
    """The modules that PyTorch exports, as files."""
    for name, case in CASES.items():
        program = torch.export.export(
            case.module(),
            copy.deepcopy(case.args),
            copy.deepcopy(case.kwargs),
            dynamic_shapes=case.dynamic_shapes,
        )
        written = io.BytesIO()
        torch.export.save(program, written)
        yield name, written.getvalue()


def outcome(content: bytes) -> str | None:
    """What became of a program; None where PyTorch does not read or decompose it."""
    try:
        theirs = torch.export.load(io.BytesIO(content))
        wanted = theirs.run_decompositions()
    except Exception:  # noqa: BLE001  whatever it is, it is PyTorch's
        return None
    try:
        found = tsc.load_exported(io.BytesIO(content)).run_decompositions()
    except tsc.ExportError as error:
        return f"refused: {error.message}"
    written = io.BytesIO()
    tsc.save_exported(found, written)
    if not _same_results(theirs, torch.export.load(io.BytesIO(written.getvalue()))):
        return "other results"
    if _kinds(found) != [each.kind.name for each in wanted.graph_signature.output_specs]:
        return "another signature"
    return EQUAL if _calls(found) == _targets(wanted) else "other operators"


def _calls(program: Any) -> list[str]:
    calls = program.graph.find_nodes(Op.CALL_FUNCTION)
    return [_plain(str(each.target).removeprefix("torch.ops.")) for each in calls]


def _targets(program: Any) -> list[str]:
    calls = [each for each in program.graph.nodes if each.op == "call_function"]
    return [_plain(str(each.target)) for each in calls]


def _plain(target: str) -> str:
    """Functions of Python by their names alone."""
    for each in _NUMBERS:
        if target.startswith(each):
            return target.removeprefix(each).partition(" at ")[0].rstrip(">")
    return target.rpartition(".")[2] if not target.startswith("aten.") else target


def _kinds(program: Any) -> list[str]:
    return [each.kind.name for each in program.graph_signature.output_specs]


def _same_results(program: Any, decomposed: Any) -> bool:
    if program.example_inputs is None:
        return True
    (args, kwargs), (others, named) = [copy.deepcopy(program.example_inputs) for _ in range(2)]
    with torch.no_grad():
        wanted = _pytree.tree_leaves(program.module()(*args, **kwargs))
        found = _pytree.tree_leaves(decomposed.module()(*others, **named))
    return all(map(_same, found, wanted))


def _same(found: Any, wanted: Any) -> bool:
    if not isinstance(wanted, torch.Tensor):
        return bool(found == wanted)
    options = {"rtol": 1e-3, "atol": 1e-4, "equal_nan": True, "check_stride": False}
    try:
        torch.testing.assert_close(found, wanted, **options)
    except AssertionError:
        return False
    return True


def main() -> None:
    """Print what is not equal, and the counts."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    for told, programs in (("archives", captured()), ("modules of PyTorch", of_pytorch())):
        results = {name: outcome(content) for name, content in programs}
        known = {name: each for name, each in results.items() if each is not None}
        for name, each in known.items():
            if each != EQUAL:
                print(f"{name}: {each}")
        equal = list(known.values()).count(EQUAL)
        print(f"{told}: {equal} of {len(known)} become PyTorch's operators in PyTorch's order")


if __name__ == "__main__":
    main()
