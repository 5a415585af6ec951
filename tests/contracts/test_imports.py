"""No module needs, directly or through others, a module that needs it; few imports hide in functions.

import-linter holds which room may import which. Within a room, and for imports in functions, this is the watch.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("compiler", "runtime")
LIBRARY = ROOT / "runtime" / "library" / "torch"
"""TorchScript source, which is compiled and not imported."""
MOST_IMPORTS_IN_FUNCTIONS = 40
"""What start-up needs: commands, reports and executors that most programs never reach."""


@cache
def modules() -> dict[str, Path]:
    """The files of both packages by the names of their modules."""
    found: dict[str, Path] = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if not path.is_relative_to(LIBRARY):
                parts = path.relative_to(ROOT).with_suffix("").parts
                own = parts[:-1] if parts[-1] == "__init__" else parts
                found[".".join(("tsc", *own))] = path
    return found


def imports_of(path: Path) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """The import statements of a file, but for those of a type checker; and whether each is in a function."""
    pending: list[tuple[ast.AST, bool]] = [(ast.parse(path.read_text(encoding="utf-8")), False)]
    while pending:
        node, in_function = pending.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, in_function
            continue
        in_function |= isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        children = node.orelse if _is_for_type_checkers(node) else ast.iter_child_nodes(node)
        pending += [(child, in_function) for child in children]


def _is_for_type_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def imported_modules(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The modules of the project that a statement imports, which are absolute."""
    if isinstance(node, ast.Import):
        names = [each.name for each in node.names]
    else:
        assert node.level == 0, "imports are absolute"
        module = node.module or ""
        inner = [f"{module}.{each.name}" for each in node.names]
        names = [name if name in modules() else module for name in inner]
    yield from (name for name in names if name in modules())


def test_there_is_no_circle() -> None:
    needs = {
        name: {
            target
            for node, _ in imports_of(path)
            for target in imported_modules(node)
            if target != name
        }
        for name, path in modules().items()
    }
    assert _in_circles(needs) == set()


def _in_circles(needs: dict[str, set[str]]) -> set[str]:
    """What is left when all that needs nothing, or that nothing needs, is taken away again and again."""
    for graph in (needs, _reversed(needs)):
        left = set(needs)
        waiting = {name: len(targets & left) for name, targets in graph.items()}
        users = _reversed(graph)
        free = [name for name, count in waiting.items() if count == 0]
        while free:
            name = free.pop()
            left.discard(name)
            for user in users[name]:
                waiting[user] -= 1
                if waiting[user] == 0:
                    free.append(user)
        needs = {name: targets & left for name, targets in needs.items() if name in left}
    return set(needs)


def _reversed(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    users: dict[str, set[str]] = {name: set() for name in graph}
    for name, targets in graph.items():
        for target in targets:
            users[target].add(name)
    return users


def test_few_imports_are_in_functions() -> None:
    hidden = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"
        for path in modules().values()
        for node, in_function in imports_of(path)
        if in_function
    ]
    assert len(hidden) <= MOST_IMPORTS_IN_FUNCTIONS, "\n".join(hidden)
