"""Finds all problems of a source text, where compiling stops at the first one.

A text without problems is compiled as usual. What does not parse is parsed once more with recovery,
and what does not compile is emitted once more with recovery: see ``frontend/recovery.py`` and
``emit/recovery.py``. Functions are independent of each other, except that nothing is said of calls
to a function whose schema is not known.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial

from tsc.compiler.compile import (
    Toolchain,
    declare,
    define_function,
    methods_of,
)
from tsc.compiler.emit.ir_emitter import emit_all_problems
from tsc.compiler.emit.names.module_makers import makers_for_constructors
from tsc.compiler.emit.protocols import Resolver
from tsc.compiler.emit.resolvers.sibling_files import SiblingFiles
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.emit.sugared_values.poisoned import POISONED
from tsc.compiler.frontend.parser import parse_source
from tsc.compiler.frontend.tree_views import Def, Module
from tsc.compiler.ir import Function
from tsc.compiler.pipelines import nested_too_deeply
from tsc.compiler.process_settings import deep_recursion, rare_garbage_collection
from tsc.compiler.schema import FunctionSchema
from tsc.compiler.source import CompileError, FollowUp, Problems, Source


@deep_recursion()
@rare_garbage_collection()
def check_source(
    source: Source,
    toolchain: Toolchain,
    problems: Problems,
    texts: list[SourceResolver] | None = None,
) -> list[Function]:
    """Report all problems of a text; its functions, those that compile and those that do not.

    Of the files that it imports, only what it uses is checked. Functions that make modules for constructors are
    not: the constructors tell of them. What its classes of modules hold is
    known of their instances alone: the text, which has these classes, is added to ``texts``.
    """
    checker = Checker(toolchain, problems)
    siblings = SiblingFiles(checker.declare, checker.parse)
    module = checker.parse(source)
    functions: dict[str, Function] = {}
    resolver, declared = checker.declare(module, functions, "", siblings)
    siblings.add(module, resolver)
    if texts is not None:
        texts.append(resolver)
    evaluated = makers_for_constructors(resolver)
    compiled = [each for name, each in declared.items() if name not in evaluated]
    found = [*compiled, *checker.shadowed(resolver, functions)]
    for function in [*found, *resolver.functions_of_templates(POISONED)]:
        with suppress(FollowUp):
            function.ensure_defined()
    with suppress(FollowUp):
        for method in methods_of(resolver):
            with suppress(FollowUp):
                method.ensure_defined()
            found.append(method)
    return found


class Checker:
    """Compiles the functions of some texts, reporting what is wrong with them.

    ``_untold`` are those whose schema problems keep from being known.
    """

    def __init__(self, toolchain: Toolchain, problems: Problems) -> None:
        self._toolchain = toolchain
        self._problems = problems
        self._untold: set[Function] = set()

    def parse(self, source: Source) -> Module:
        try:
            return parse_source(source)
        except CompileError:
            from tsc.compiler.frontend.recovery import parse_whole  # most texts are right

            return parse_whole(source, self._problems.report)

    def declare(
        self,
        module: Module,
        functions: dict[str, Function],
        prefix: str,
        siblings: SiblingFiles,
    ) -> tuple[SourceResolver, dict[str, Function]]:
        return declare(
            module,
            functions,
            prefix,
            siblings,
            toolchain=self._toolchain,
            define=self.define,
            problems=self._problems,
        )

    def shadowed(
        self, resolver: SourceResolver, functions: dict[str, Function]
    ) -> Iterator[Function]:
        """Functions that share their name with a later one: a call of it may mean either."""
        last = {definition.name.name: definition for definition in resolver.definitions}
        for definition in resolver.definitions:
            name = definition.name.name
            if last[name] is not definition:
                define = partial(self.define, definition, resolver, self._toolchain)
                functions[name] = Function(name, _do_not_tell)
                yield Function(name, define, range=definition.range)

    def define(
        self, definition: Def, resolver: Resolver, toolchain: Toolchain, function: Function
    ) -> None:
        """Compile a function, or report all problems; FollowUp if its schema is not known."""
        if function in self._untold:
            raise FollowUp
        try:
            define_function(definition, resolver, toolchain, function)
        except CompileError as error:
            self._report_all(definition, resolver, function, error)
        except FollowUp:
            self._report_all(definition, resolver, function)

    def _report_all(
        self,
        definition: Def,
        resolver: Resolver,
        function: Function,
        first: CompileError | None = None,
    ) -> None:
        """``first`` is the error that compiling stopped at: at least that one is there."""
        before = len(self._problems)
        schema = self._emit_recovering(definition, resolver, function)
        if first is not None and len(self._problems) == before:
            self._problems.report(first)
        if schema is None:
            self._untold.add(function)
            raise FollowUp
        function.schema = schema

    def _emit_recovering(
        self, definition: Def, resolver: Resolver, function: Function
    ) -> FunctionSchema | None:
        try:
            return emit_all_problems(
                definition,
                function,
                resolver,
                self._toolchain.operators,
                self._problems,
                evaluate=self._toolchain.evaluate,
                strict=self._toolchain.strict,
            )
        except RecursionError:
            self._problems.report(nested_too_deeply(function))
            return None


def _do_not_tell(_function: Function) -> None:
    raise FollowUp
