"""Lists of operator schemas for `tsc ops`."""

from __future__ import annotations

import fnmatch

from tsc.runtime.operators import load


def matching_schemas(pattern: str | None) -> list[str]:
    """Schemas whose name holds `pattern`, or matches it when it has wildcards; all without one."""
    table = load()
    names = sorted(name for name in table.names() if matches(name, pattern))
    return [str(operator.schema) for name in names for operator in table.operators_for(name)]


def matches(name: str, pattern: str | None) -> bool:
    if pattern is None:
        return True
    if any(letter in pattern for letter in "*?["):
        plain = name.partition("::")[2]
        return fnmatch.fnmatchcase(name, pattern) or fnmatch.fnmatchcase(plain, pattern)
    return pattern in name


def similar_schemas(name: str) -> list[str]:
    """Schemas of operators whose names are like `name` (``aten::`` is assumed)."""
    table = load()
    return [
        str(operator.schema)
        for similar in similar_names(name)
        for operator in table.operators_for(similar)
    ]


def similar_names(name: str) -> list[str]:
    """Names of operators that are like `name` (``aten::`` is assumed), the closest first."""
    return load().similar(name if "::" in name else f"aten::{name}")
