"""The entry: modules of a source text made by name, and expressions evaluated beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from tsc.compiler.compile import Toolchain, declare
from tsc.compiler.emit.resolvers.sibling_files import SiblingFiles
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.frontend.parser import parse_source
from tsc.compiler.frontend.tree_builder import TreeBuilder
from tsc.compiler.frontend.tree_views import Apply, Expr, Var
from tsc.compiler.ir import Function
from tsc.compiler.source import UNKNOWN_RANGE, CompileError, Source, UsageError
from tsc.runtime.construction.evaluator import SourceEvaluator
from tsc.runtime.construction.expressions import call_arguments
from tsc.runtime.construction.values.classes import ClassObject
from tsc.runtime.construction.values.modules import ModuleInstance
from tsc.runtime.construction.values.protocol import Frame
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.random.generator import manual_seed


class Construction:
    """The classes and constants of one file, evaluated when they are asked for.

    All that one `Construction` makes shares its classes: an instance of one is an instance of
    another call's, too.
    """

    def __init__(self, resolver: SourceResolver, using: Toolchain | None = None) -> None:
        self.resolver = resolver
        self.evaluator = SourceEvaluator(using or toolchain())
        self.scope = self.evaluator.scope_of(resolver)

    @classmethod
    def from_source(cls, source: Source, using: Toolchain | None = None) -> Construction:
        """Of a text that is compiled by nobody else."""
        return cls(resolver_of_source(source, using), using)

    def value(self, name: str) -> Any:
        """The value of a name at module level. Raises `UsageError` if the file binds none."""
        binding = self.resolver.names.bindings.get(name)
        if binding is None:
            raise UsageError(f"there is no class {name!r}{self._choice()}")
        with self.evaluator.running():
            return self.scope.value_of(name, UNKNOWN_RANGE)

    def class_named(self, name: str) -> ClassObject:
        """The class of that name. Raises `UsageError` if there is none."""
        found = self.value(name)
        if not isinstance(found, ClassObject):
            raise UsageError(f"{name!r} is not a class{self._choice()}")
        return found

    def construct(
        self,
        name: str,
        arguments: Sequence[Any] = (),
        keywords: Mapping[str, Any] | None = None,
        seed: int | None = None,
    ) -> Any:
        """A new instance of a class: a `ModuleInstance` for an ``nn.Module``.

        With `seed`, random numbers begin anew, as after ``torch.manual_seed``. Raises `CompileError`
        for what cannot be evaluated, `ScriptError` for what the program raises.
        """
        cls = self.class_named(name)
        if seed is not None:
            manual_seed(seed)
        with self.evaluator.running():
            return self.evaluator.call(cls, arguments, dict(keywords or {}))

    def arguments(self, text: str) -> tuple[list[Any], dict[str, Any]]:
        """The arguments that ``10, hidden=32`` spells, evaluated beside the file."""
        before = "arguments("
        try:
            tree = _parsed(Source(f"{before}{text}\n)", "<--init>"))
        except CompileError as error:
            start, end = (
                min(max(place - len(before), 0), len(text))
                for place in (error.range.start, error.range.end)
            )
            raise error.at(Source(text, "<--init>").range(start, max(start, end))) from None
        if not isinstance(tree, Apply) or not isinstance(tree.callee, Var):
            raise UsageError(f"cannot read {text!r} as arguments")
        with self.evaluator.running():
            return call_arguments(self.evaluator, tree, self._frame())

    def evaluate_expression(self, text: str) -> Any:
        """The value of an expression, which may use the names of the file."""
        tree = _parsed(Source(text, "<expression>"))
        with self.evaluator.running():
            return self.evaluator.evaluate(tree, self._frame())

    def call(self, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        """Call a value of the evaluated program: a function, a class, a bound method."""
        with self.evaluator.running():
            return self.evaluator.call(function, arguments, keywords)

    def call_method(self, value: Any, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        """``value.name(...)``: ``train``, ``state_dict`` and the like, with a class's own versions."""
        with self.evaluator.running():
            return self.evaluator.call_method(value, name, *arguments, **keywords)

    def _frame(self) -> Frame:
        return Frame(self.scope)

    def _choice(self) -> str:
        names = ", ".join(self.resolver.class_names)
        return f" (the classes are {names})" if names else " (the file defines no class)"


def _parsed(source: Source) -> Expr:
    """The tree of an expression; what TorchScript has not may be in it."""
    return TreeBuilder(source).part(0, len(source.text), "expression")


def resolver_of_source(source: Source, using: Toolchain | None = None) -> SourceResolver:
    """The resolver of a text and of the files that it imports."""
    tools = using or toolchain()
    module = parse_source(source)
    functions: dict[str, Function] = {}
    siblings = SiblingFiles(partial(declare, toolchain=tools))
    resolver, _ = declare(module, functions, "", siblings, toolchain=tools)
    siblings.add(module, resolver)
    return resolver


def construct(
    resolver: SourceResolver,
    class_name: str,
    arguments: Sequence[Any] = (),
    keywords: Mapping[str, Any] | None = None,
    seed: int | None = None,
) -> ModuleInstance:
    """One module of a file; `Construction` makes several that share their classes."""
    made = Construction(resolver).construct(class_name, arguments, keywords, seed)
    if not isinstance(made, ModuleInstance):
        raise UsageError(f"{class_name!r} is not an nn.Module")
    return made
