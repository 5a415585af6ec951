"""Programs that are exported to ONNX to be counted: each with runs, whose results are PyTorch's.

Five corpora: the archives of the archive tests, method by method; programs that PyTorch exported; the programs of the
export tests, which branch, loop and have sizes that change; samples; and the programs of the comparison with PyTorch.
"""

from __future__ import annotations

import contextlib
import copy
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import torch

import tsc
from tests.exir.recorded import recorded_answers, recorded_path
from tests.exporting import (
    branching_programs,
    data_sized_programs,
    dynamic_programs,
    growing_programs,
    looping_programs,
    regional_programs,
    writing_programs,
)
from tests.oracle.archives.answers import argument, described
from tests.oracle.archives.table import SAMPLES, Sample
from tests.oracle.programs import all_programs

Run = tuple[Sequence[Any], Any]
"""Arguments, and the result."""


@dataclass(frozen=True)
class Exported:
    """A program of a module of a corpus, or why it was not captured."""

    corpus: str
    module: str
    name: str
    program: Any = None
    refusal: str = ""
    runs: list[Run] = field(default_factory=list[Run])


def captured(
    names: tuple[str, str, str], capture: Callable[[], Any], runs: Callable[[], list[Run]]
) -> Exported:
    """What capture gives, or what it refuses."""
    try:
        program = capture()
    except tsc.Error as error:
        return Exported(*names, refusal=str(error).strip().splitlines()[0])
    return Exported(*names, program, runs=runs())


# -- Archives ------------------------------------------------------------------------------------


def archives() -> Iterator[Exported]:
    """Each call of each archive, made on the module as the calls before have left it."""
    for sample in SAMPLES:
        yield from _calls_of(sample)


def _calls_of(sample: Sample) -> Iterator[Exported]:
    script, content = sample.make(), io.BytesIO()
    torch.jit.save(script, content)
    module = tsc.load(io.BytesIO(content.getvalue()))
    for number, call in enumerate(sample.calls):
        given = tuple(argument(described(each)) for each in call.arguments)
        try:
            program = tsc.export(module, given, method=call.method)
            refusal = ""
        except tsc.Error as error:
            program, refusal = None, str(error).strip().splitlines()[0]
        with torch.no_grad():
            try:
                expected = _callee(script, call.method)(*call.arguments)
            except Exception:  # noqa: BLE001  whatever it is, it is PyTorch's
                continue
        name, kept = f"{call.method}[{number}]", copy.deepcopy(given)
        yield Exported("archives", sample.name, name, program, refusal, [(kept, expected)])
        _callee(module, call.method)(*given)


def _callee(module: Any, method: str) -> Any:
    """With the hooks of the module."""
    return module if method == "forward" else getattr(module, method)


# -- Programs of PyTorch -------------------------------------------------------------------------


def recorded() -> Iterator[Exported]:
    """Files of PyTorch; their results are our own run's, which other tests compare with PyTorch's."""
    for name in recorded_answers():
        program = tsc.load_exported(recorded_path(name))
        args, kwargs = program.example_inputs
        leaves = program.call_spec.in_spec.flatten((tuple(args), dict(kwargs)))
        runs: list[Run] = [(leaves, _own_result(program))]
        yield Exported("exported by PyTorch", name, "forward", program, runs=runs)


def _own_result(program: Any) -> Any:
    args, kwargs = copy.deepcopy(program.example_inputs)
    fresh = copy.copy(program)
    return copy.deepcopy(fresh).module()(*args, **kwargs)


# -- Texts ---------------------------------------------------------------------------------------

_TEXTS: Final = {
    "loops": looping_programs,
    "branches": branching_programs,
    "lists that grow": growing_programs,
    "sizes from data": data_sized_programs,
    "regions": regional_programs,
    "writes": writing_programs,
}


def texts() -> Iterator[Exported]:
    """Programs of one tensor, run on all of their arguments."""
    for corpus, table in _TEXTS.items():
        for name, text in table.PROGRAMS.items():
            f = tsc.CompilationUnit(getattr(table, "TEXT", "") + text).f
            yield captured(
                (corpus, name, "f"),
                lambda f=f, table=table: tsc.export(f, (tsc.tensor(table.ARGUMENTS[0]),)),
                lambda text=text, table=table: [
                    _of_pytorch(text, (torch.tensor(each),)) for each in table.ARGUMENTS
                ],
            )


def _of_pytorch(text: str, given: tuple[Any, ...]) -> Run:
    kept = tuple(each.clone() for each in given)
    return kept, torch.jit.CompilationUnit(text).f(*given)


def changing_sizes() -> Iterator[Exported]:
    """Programs that are exported once, and run at five sizes."""
    for name, case in dynamic_programs.PROGRAMS.items():
        f = tsc.CompilationUnit(case.text).f
        example = tuple(tsc.rand(*each) for each in case.shapes(case.example))
        yield captured(
            ("sizes that change", name, "f"),
            lambda f=f, case=case, example=example: tsc.export(
                f, example, dynamic_shapes=case.declared(tsc.Dim)
            ),
            lambda case=case: [
                _of_pytorch(case.text, tuple(torch.rand(*each) for each in case.shapes(size)))
                for size in case.sizes
            ],
        )


# -- Programs of the comparison with PyTorch -----------------------------------------------------


def programs() -> Iterator[Exported]:
    """Each call in the corpus of texts, as a program without inputs, if it computes with tensors."""
    for each in all_programs():
        for number, call in enumerate(each.calls):
            found = _call(each.source, call, (f"programs: {each.topic}", each.name, str(number)))
            if found is not None:
                yield found


def _call(source: str, call: str, names: tuple[str, str, str]) -> Exported | None:
    text = f"{source}\ndef call_to_export():\n    return {call}\n"
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            function = tsc.CompilationUnit(text).call_to_export
            expected = function()
    except tsc.Error:
        return None
    with contextlib.redirect_stdout(io.StringIO()):
        found = captured(names, lambda: tsc.export(function, ()), lambda: [((), expected)])
    computes = found.program is not None and any(
        node.op.name == "CALL_FUNCTION" for node in found.program.graph.nodes
    )
    return found if computes else None


CORPORA: Final = (archives, recorded, texts, changing_sizes, programs)
