"""``python -m tests.exir.agreement``: how well what `--explain` finds agrees with what capture refuses.

Each call of the oracle's programs is explained and captured. Calls that fail when they run, or do not compile, are
not counted. Precision and recall are of findings of the level error.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections import Counter
from collections.abc import Iterator

import tsc
from tests.oracle.programs import Program, topics


def outcomes(program: Program) -> Iterator[tuple[str, str]]:
    """For each call its name, and whether it was found and refused: ``found, refused``."""
    try:
        unit = tsc.CompilationUnit(program.source_with_calls(), names={})
    except tsc.Error:
        return
    for number in range(len(program.calls)):
        try:
            function = getattr(unit, f"call_{number}")
            (explanation,) = tsc.explain_export(function)
            refused = _is_refused(function)
        except tsc.Error:
            continue
        found = "clean" if explanation.is_exportable else "found"
        yield f"{program.key}: {program.calls[number]}", f"{found}, {refused}"


def _is_refused(function: object) -> str:
    try:
        tsc.export(function, ())
    except tsc.ExportError:
        return "refused"
    return "exported"


def main(wanted: list[str]) -> None:
    """Print precision and recall, and the calls where both differ."""
    counts: Counter[str] = Counter()
    for topic, programs in topics().items():
        if wanted and topic not in wanted:
            continue
        for program in programs:
            with contextlib.redirect_stdout(io.StringIO()):
                results = list(outcomes(program))
            for name, outcome in results:
                counts[outcome] += 1
                if outcome in ("found, exported", "clean, refused"):
                    print(f"{outcome}: {name}")
    both = counts["found, refused"]
    found, refused = both + counts["found, exported"], both + counts["clean, refused"]
    print(f"{counts.total()} calls, {found} found, {refused} refused, {both} both")
    print(f"precision {both / max(found, 1):.3f}, recall {both / max(refused, 1):.3f}")


if __name__ == "__main__":
    main(sys.argv[1:])
