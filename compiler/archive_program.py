"""The program of an archive: its code files, compiled as far as they are used."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import partial

from tsc.compiler.compile import Toolchain, define_function
from tsc.compiler.emit.resolvers.archive_resolver import ArchiveResolver, FindSource
from tsc.compiler.frontend.tree_views import Def
from tsc.compiler.ir import Function
from tsc.compiler.process_settings import deep_recursion
from tsc.compiler.schema import FunctionSchema
from tsc.compiler.source import CompileError, Note, Stage


def archive_program(
    find_source: FindSource, toolchain: Toolchain, constants: Sequence[object] = ()
) -> ArchiveResolver:
    """The classes and functions of an archive by their qualified names. Nothing is read yet."""
    return ArchiveResolver(
        find_source,
        partial(_declared, toolchain),
        toolchain.operators,
        toolchain.evaluate,
        constants,
    )


def _declared(
    toolchain: Toolchain, qualified_name: str, definition: Def, resolver: ArchiveResolver
) -> Function:
    def define(function: Function) -> None:
        schema = function.schema  # calls of it may have been compiled with this one
        with _origins_told():
            define_function(definition, resolver, toolchain, function)
        function.schema = schema

    def declare(function: Function) -> FunctionSchema:
        stage = Stage("declaration", f"function '{qualified_name}'")
        with stage, _origins_told(), deep_recursion():
            return resolver.schema_of(definition, function)

    return Function(qualified_name, define, declare=declare, range=definition.range)


@contextmanager
def _origins_told() -> Generator[None]:
    """Errors also tell which part of the original program the code is from, if that is known."""
    try:
        yield
    except CompileError as error:
        note = Note("which was made from:", error.range.original)
        if note.range is not error.range and note not in error.notes:
            error.notes = (*error.notes, note)
        raise
