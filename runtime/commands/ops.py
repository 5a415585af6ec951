"""`tsc ops`: the schemas of the operators that are implemented."""

from __future__ import annotations

from tsc.compiler.emit.names.absent_names import absent_member, absent_operator
from tsc.compiler.source import UsageError
from tsc.runtime.commands.doors import Settings, emit
from tsc.runtime.commands.operator_listing import matching_schemas, similar_names, similar_schemas


def perform(settings: Settings, *, pattern: str | None, similar: str | None) -> None:
    """List the schemas that fit `pattern`, or those of operators with names like `similar`."""
    lines = similar_schemas(similar) if similar is not None else matching_schemas(pattern)
    if not lines:
        raise UsageError(_nothing_found(similar or pattern or ""))
    emit(settings, "\n".join(lines) + "\n")


def _nothing_found(name: str) -> str:
    """A name that no operator has: whose it is, if it is one of PyTorch's, or which one may be meant."""
    absence = absent_operator(name) or absent_member("torch", name.rpartition("::")[2])
    reason = _suggestion(name) if absence is None else f". {absence}"
    return f"no operator matches {name!r}{reason}"


def _suggestion(name: str) -> str:
    close = similar_names(name)
    return f"; did you mean {close[0].removeprefix('aten::')!r}?" if close else ""
