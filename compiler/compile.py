"""The driver: a source text in, compiled functions out. It reads like the way of the data.

text ─▶ trees ─▶ Graph in Load/Store form ─▶ Graph in SSA ─▶ Graph, cleaned up
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from tsc.compiler.emit.ir_emitter import emit_definition
from tsc.compiler.emit.names.module_makers import makers_of_modules
from tsc.compiler.emit.protocols import Resolver
from tsc.compiler.emit.resolvers.other_texts import LoadModule
from tsc.compiler.emit.resolvers.outside import NOTHING, Outside
from tsc.compiler.emit.resolvers.sibling_files import SiblingFiles
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.frontend.definition_order import DefinitionOrder
from tsc.compiler.frontend.outline import parse_on_demand
from tsc.compiler.frontend.tree_views import Def, Module
from tsc.compiler.ir import Function, Graph
from tsc.compiler.passes.propagate_constants import Evaluate
from tsc.compiler.pipelines import (
    AFTER_EMISSION,
    EMISSION,
    Given,
    Observe,
    ignore,
    passes,
    run_passes,
    stage,
)
from tsc.compiler.process_settings import deep_recursion, rare_garbage_collection
from tsc.compiler.reach import Reach, methods_of_class
from tsc.compiler.schema import OperatorTable
from tsc.compiler.source import CompileError, Error, Note, Problems, Source, codes
from tsc.compiler.source.jit_log import LOG, Level
from tsc.compiler.ssa.convert_to_ssa import EXITS, convert_to_ssa
from tsc.compiler.types import ClassType
from tsc.compiler.value_classes import value_class

Library = Callable[[str], Function | None]
LibraryFile = Callable[[str], SourceResolver | None]
Define = Callable[["Def", "Resolver", "Toolchain", Function], None]


def _no_library(_qualified_name: str) -> Function | None:
    """The library of those who have none."""
    return None


def _no_library_file(_path: str) -> SourceResolver | None:
    return None


@value_class
class Toolchain:
    """What the compiler is handed: it imports none of it.

    ``evaluate`` runs a node on constants; ``library`` finds a function by its qualified name,
    ``library_file`` a source file by its dotted path;
    ``observe`` is called with a function and its graph after each step of its compilation.
    ``upgrade`` replaces operators of old versions, of which an old program's ``operators`` has some.
    ``outside`` is asked for names that no text defines.
    """

    operators: OperatorTable
    evaluate: Evaluate
    library: Library = _no_library
    library_file: LibraryFile = _no_library_file
    strict: bool = False
    observe: Observe = ignore
    upgrade: Callable[[Graph], bool] | None = None
    outside: Outside = NOTHING

    def observed_by(self, observe: Observe) -> Toolchain:
        return replace(self, observe=observe)


@deep_recursion()
@rare_garbage_collection()
def compile_source(
    source: Source,
    toolchain: Toolchain,
    known: dict[str, Function] | None = None,
    prefix: str = "",
    earlier: list[SourceResolver] | None = None,
    reach: Reach | None = None,
) -> dict[str, Function]:
    """Compile a source text, as `define_text` has it; its functions, those left to Python included.

    The arguments are those of `declare_source`. If one does not compile, none is added to ``known``.
    """
    functions = known if known is not None else {}
    texts = earlier if earlier is not None else []
    before = dict(functions)
    declared = declare_source(source, toolchain, functions, prefix, texts)
    try:
        define_text(texts[-1], declared, reach or Reach())
    except Error:
        texts.pop()
        functions.clear()
        functions.update(before)
        raise
    return declared


@deep_recursion()
@rare_garbage_collection()
def declare_source(
    source: Source,
    toolchain: Toolchain,
    known: dict[str, Function],
    prefix: str = "",
    earlier: list[SourceResolver] | None = None,
) -> dict[str, Function]:
    """The functions of a source text, each of which is compiled when it is first asked for.

    ``known`` holds the functions of texts declared before, which this text may call; the new ones
    are added to it. Their qualified names begin with ``prefix``. ``earlier`` are those texts, whose
    classes and constants this text may use; it is added to them. Imports of sibling files are
    resolved by reading those files. Raises what no function of the text can do without.
    """
    texts = earlier if earlier is not None else []
    module = parse_on_demand(source)
    _refuse_known(module, known)
    siblings = SiblingFiles(partial(declare, toolchain=toolchain))
    resolver, declared = declare(
        module, known, prefix, siblings, toolchain=toolchain, earlier=tuple(texts)
    )
    siblings.add(module, resolver)
    texts.append(resolver)
    return declared


def define_text(resolver: SourceResolver, functions: Mapping[str, Function], reach: Reach) -> None:
    """Compile all of a text, whose functions are among `functions`: these and the classes that it uses.

    Beside modules stand functions that only Python calls, to make them: these are left out.
    """
    makers = makers_of_modules(resolver)
    names = (definition.name.name for definition in resolver.definitions)
    reach.define(functions[name] for name in names if name not in makers)
    for method in methods_of(resolver):
        reach.define([method])


def methods_of(resolver: SourceResolver) -> Iterator[Function]:
    """The methods of the classes that a text uses. Compiling them may make it use more classes."""
    resolver.use_declared_classes()
    seen: set[ClassType] = set()
    while new := [type for type in resolver.script_classes if type not in seen]:
        seen.update(new)
        for type in new:
            yield from methods_of_class(type)


def _refuse_known(module: Module, functions: dict[str, Function]) -> None:
    for definition in module.definitions:
        known = functions.get(definition.name.name)
        if known is not None:
            raise CompileError(
                f"method '{known.name}' already defined.",
                definition.name.range,
                code=codes.REDEFINED_FUNCTION,
                notes=[Note("defined here:", known.range)],
                hint="give it another name, or define it in a compilation unit of its own",
            )


def declare(
    module: Module,
    functions: dict[str, Function],
    prefix: str,
    siblings: SiblingFiles,
    *,
    toolchain: Toolchain,
    earlier: Sequence[SourceResolver] = (),
    define: Define | None = None,
    problems: Problems | None = None,
) -> tuple[SourceResolver, dict[str, Function]]:
    """Add the functions of a module to ``functions``; each is compiled when it is first asked for.

    The ones added are returned. ``define`` is what compiles them, if not `define_function`;
    ``problems`` are reported instead of raised.
    """
    load_module = _loader(siblings.loader_for(module), toolchain.library_file)
    resolver = SourceResolver(
        module,
        functions,
        toolchain.library,
        prefix=prefix or "__torch__.",
        derive=partial(_function, prefix, define or define_function, toolchain),
        strict=toolchain.strict,
        outside=toolchain.outside,
        earlier=earlier,
        load_module=load_module,
        problems=problems,
    )
    order = DefinitionOrder(resolver.definitions)
    declared: dict[str, Function] = {}
    for definition in resolver.definitions:
        name = definition.name.name
        before = partial(_named_before, order, declared, name)
        declared[name] = _function(
            prefix, define or define_function, toolchain, definition, resolver, before
        )
    functions.update(declared)
    return resolver, declared


def _loader(
    load_sibling: LoadModule[SourceResolver] | None, library_file: LibraryFile
) -> LoadModule[SourceResolver]:
    """Imports that the library does not resolve are of sibling files."""

    def load(path: str, level: int) -> SourceResolver | None:
        found = library_file(path) if level == 0 else None
        return found or (load_sibling and load_sibling(path, level))

    return load


def _function(
    prefix: str,
    define: Define,
    toolchain: Toolchain,
    definition: Def,
    resolver: Resolver,
    before: Callable[[], Iterable[Function]] | None = None,
) -> Function:
    """A function that is compiled when it is first asked for."""
    compiled = partial(define, definition, resolver, toolchain)
    name = prefix + definition.name.name
    return Function(name, compiled, before=before, range=definition.range)


def _named_before(
    order: DefinitionOrder, declared: Mapping[str, Function], name: str
) -> Iterator[Function]:
    return map(declared.__getitem__, order.before(name))


@deep_recursion()
def _log(file: str, step: Callable[..., object], function: Function) -> None:
    if LOG.wants(file, Level.DUMP):
        text = f"function '{function.name}':\n{function.graph}"
        LOG.write(file, Level.DUMP, text, step.__code__.co_firstlineno)


def define_function(
    definition: Def, resolver: Resolver, toolchain: Toolchain, function: Function
) -> None:
    """From the tree of one definition to its graph: emit, convert to SSA, clean up."""
    for refusal in definition.refusals:
        raise refusal
    emit, to_ssa = EMISSION
    with stage(emit, function):
        emit_definition(
            definition,
            function,
            resolver,
            toolchain.operators,
            evaluate=toolchain.evaluate,
            strict=toolchain.strict,
        )
    _log("ir_emitter", emit_definition, function)
    toolchain.observe(emit, function, function.graph)
    with stage(to_ssa, function):
        convert_to_ssa(function.graph, lambda: toolchain.observe(EXITS, function, function.graph))
        if toolchain.upgrade is not None:
            toolchain.upgrade(function.graph)
    _log(to_ssa, convert_to_ssa, function)
    toolchain.observe(to_ssa, function, function.graph)
    given = Given(toolchain.operators, toolchain.evaluate)
    run_passes(passes(AFTER_EMISSION, given), function, function.graph, toolchain.observe)
