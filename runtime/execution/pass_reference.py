"""The page of all passes, made of their docstrings: ``python -m tsc.runtime.execution.pass_reference``."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from tsc.compiler import pipelines
from tsc.compiler.passes.registry import pass_function, pass_names, pytorchs_names_of
from tsc.runtime.execution.run_pass import options_of

_HEAD = """# Passes

<!-- Written by `make docs` from the docstrings of the passes. -->

A pass changes a graph in place and returns whether it did. `tsc opt FILE --passes "A, B"` runs a pipeline of them over
IR text, source or archives (see [the command line](command-line.md)), `tsc.run_pass("A", graph)` one in Python.
PyTorch's names (after `_jit_pass_`) do as well.

"""
_LISTS = {
    "after its emission": pipelines.AFTER_EMISSION,
    "for `.inlined_graph`": pipelines.INLINED,
    "on bodies before they are inlined": pipelines.INLINED_BODY,
    "before it runs": pipelines.BEFORE_RUNNING,
}


def page() -> str:
    """The page as Markdown."""
    return _HEAD + "\n".join(section for name in pass_names() for section in _section(name))


def _section(name: str) -> Iterator[str]:
    run = pass_function(name)
    yield f"## {name}\n"
    yield f"{_prose(inspect.getdoc(inspect.getmodule(run)))}\n"
    told = _prose(inspect.getdoc(run))
    if told:
        yield f"{told}\n"
    facts = list(_facts(name))
    if facts:
        yield "\n".join(facts) + "\n"


def _facts(name: str) -> Iterator[str]:
    options = options_of(name)
    if options:
        yield f"- Options: {', '.join(f'`{_option(each)}`' for each in options)}."
    others = pytorchs_names_of(name)
    if others:
        yield f"- In PyTorch: {', '.join(f'`{each}`' for each in others)}."
    when = [text for text, names in _LISTS.items() if name in names]
    if when:
        yield f"- Every graph goes through it {' and '.join(when)}."


def _prose(text: str | None) -> str:
    """A docstring as Markdown: its code in single quotes of that kind."""
    return (text or "").replace("``", "`")


def _option(text: str) -> str:
    """An option with its default; one that is a function stands for itself."""
    return text.partition("=<function")[0]


if __name__ == "__main__":
    print(page(), end="")
