"""The problems of modules: their constructors are evaluated, and the methods of what comes out compiled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from compiler.check import Checker
from compiler.compile import Toolchain
from compiler.emit.source_resolver import SourceResolver
from compiler.ir import Function
from compiler.source import CompileError, FollowUp, Problems
from runtime.construction.construct import Construction
from runtime.construction.values import ModuleInstance
from runtime.errors import ScriptError
from runtime.scripting.concrete_types import ConcreteTypes
from runtime.scripting.evaluated_modules import EvaluatedModule
from runtime.source_files import UsageError


def check_modules(
    text: SourceResolver,
    toolchain: Toolchain,
    problems: Problems,
    left_out: dict[str, str],
    inits: Mapping[str, str],
) -> list[Function]:
    """Report the problems of all classes of modules in a text; their methods.

    `inits` are expressions that construct modules, by class; a class without one is constructed
    without arguments, and added to `left_out` where that does not work.
    """
    names = [name for name in text.class_names if text.is_module(name)]
    if not names:
        return []
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
            left_out[name] = error.message
        except FollowUp:
            left_out[name] = "what it is made of has problems"
        else:
            if isinstance(module, ModuleInstance):
                found = _compiled(module, construction, types, problems)
                methods += [each for each in found if each not in methods]
                typed |= _classes_below(module)
    for name in typed:
        left_out.pop(name, None)
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
