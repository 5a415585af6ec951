"""The problems of modules: their constructors are evaluated, and the methods of what comes out compiled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from tsc.compiler.check import Checker
from tsc.compiler.compile import Toolchain
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.ir import Function
from tsc.compiler.source import CompileError, FollowUp, Note, Problems, UsageError, codes
from tsc.runtime.commands.module_classes import ModuleClasses
from tsc.runtime.construction.construct import Construction
from tsc.runtime.construction.values.modules import ModuleInstance
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.programs.unit_modules import classes_below, endless
from tsc.runtime.programs.unread_code import LeftOut
from tsc.runtime.scripting.concrete_types import ConcreteTypes
from tsc.runtime.scripting.evaluated_modules import EvaluatedModule
from tsc.runtime.scripting.script import evaluated_type

_HINT = 'if it is made with arguments, say how: --init "{}(10, hidden=32)"'


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
            if name in inits or error.stack or error.kind != "TypeError":
                hint = None if name in inits else _HINT.format(name)
                problems.report(_constructor_fails(text, name, error, hint))
            else:  # it takes arguments
                not_typed[name] = LeftOut(text.names.class_statement(name).range, error.message)
        except FollowUp:
            reason = "what it is made of has problems"
            not_typed[name] = LeftOut(text.names.class_statement(name).range, reason)
        else:
            if isinstance(module, ModuleInstance):
                found = _compiled(module, construction, types, problems)
                methods += [each for each in found if each not in methods]
                typed |= classes_below(module)
    for name in typed:
        not_typed.pop(name, None)
    return methods


def _constructor_fails(
    text: SourceResolver, name: str, error: ScriptError, hint: str | None
) -> CompileError:
    """A problem at the place in the text itself that the constructor had come to."""
    definition = text.names.class_statement(name)
    places = [each.range for each in error.stack]
    own = [each for each in places if each.filename == definition.range.filename]
    at = own[-1] if own else definition.name.range
    notes: list[str | Note] = []
    if places and places[-1] is not at:
        notes.append(Note("it was raised here:", places[-1]))
    return CompileError(
        f"the constructor of '{name}' raises {error.kind}: {error.message}",
        at,
        code=codes.CONSTRUCTOR_FAILS,
        notes=notes,
        hint=hint,
        subject=None if own else name,
    )


def _compiled(
    module: ModuleInstance, construction: Construction, types: ConcreteTypes, problems: Problems
) -> Iterator[Function]:
    try:
        type = evaluated_type(types, EvaluatedModule(module, construction))
    except CompileError as error:
        problems.report(error)
        return
    except RecursionError:
        problems.report(endless(module.cls.name, construction.resolver))
        return
    for method in types.methods_below(type):
        try:
            with suppress(FollowUp):
                method.ensure_defined()
        except CompileError as error:
            problems.report(error)
        yield method
