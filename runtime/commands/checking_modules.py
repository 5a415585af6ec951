"""The problems of modules: their constructors are evaluated, and the methods of what comes out compiled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from tsc.compiler.check import Checker
from tsc.compiler.compile import Toolchain
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.ir import Function
from tsc.compiler.source import CompileError, FollowUp, Problems, UsageError
from tsc.runtime.construction.construct import Construction
from tsc.runtime.construction.values.modules import ModuleInstance
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.scripting.concrete_types import ConcreteTypes
from tsc.runtime.scripting.evaluated_modules import EvaluatedModule

if TYPE_CHECKING:
    from tsc.runtime.commands.checking import ModuleClasses


def check_modules(
    text: SourceResolver,
    toolchain: Toolchain,
    problems: Problems,
    classes: ModuleClasses,
) -> list[Function]:
    """Report the problems of all classes of modules in a text; their methods.

    A class without an expression that constructs it is constructed without arguments, and is not
    typed where that does not work.
    """
    names = [name for name in text.class_names if text.is_module(name)]
    if not names:
        return []
    classes.found.update(names)
    inits, not_typed = classes.inits, classes.not_typed
    construction = Construction(text, toolchain)
    types = ConcreteTypes(toolchain, Checker(toolchain, problems).define)
    methods: list[Function] = []
    typed: set[str] = set()
    for name in names:
        try:
            module = construction.evaluate_expression(inits.get(name, f"{name}()"))
        except CompileError as error:
            if name in inits and error.range.filename == "<expression>":
                raise UsageError(f"--init: cannot read {inits[name]!r}\n{error}") from None
            problems.report(error)
        except ScriptError as error:
            not_typed[name] = error.message
        except FollowUp:
            not_typed[name] = "what it is made of has problems"
        else:
            if isinstance(module, ModuleInstance):
                found = _compiled(module, construction, types, problems)
                methods += [each for each in found if each not in methods]
                typed |= _classes_below(module)
    for name in typed:
        not_typed.pop(name, None)
    return methods


def _classes_below(module: ModuleInstance) -> set[str]:
    """The names of the classes of a module and of all modules in it."""
    pending, found = [module], set[str]()
    seen: set[int] = set()
    while pending:
        current = pending.pop()
        if id(current) not in seen:
            seen.add(id(current))
            found.add(current.cls.name)
            pending += [each for each in current.modules.values() if each is not None]
    return found


def _compiled(
    module: ModuleInstance, construction: Construction, types: ConcreteTypes, problems: Problems
) -> Iterator[Function]:
    try:
        type = types.type_of(EvaluatedModule(module, construction))
    except CompileError as error:
        problems.report(error)
        return
    for method in types.methods_below(type):
        try:
            with suppress(FollowUp):
                method.ensure_defined()
        except CompileError as error:
            problems.report(error)
        yield method
