"""``module.define(source)``: methods that a module gets once it is made, from a text."""

from __future__ import annotations

import builtins
from dataclasses import replace
from functools import partial
from types import FrameType

from tsc.compiler.compile import declare, define_function
from tsc.compiler.emit.classes.script_classes import as_method
from tsc.compiler.emit.protocols import Resolver
from tsc.compiler.emit.resolvers.outside import Outside
from tsc.compiler.emit.resolvers.sibling_files import SiblingFiles
from tsc.compiler.frontend.parser import parse_source
from tsc.compiler.frontend.tree_views import Def
from tsc.compiler.ir import Function
from tsc.compiler.outer_net import foreseen
from tsc.compiler.process_settings import deep_recursion
from tsc.compiler.source import CompileError, Error, Source, UsageError, codes
from tsc.compiler.types import ClassType
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.live.outside_names import Names, OutsideNames, names_of_frame


def define_text(type: ClassType, text: str, names: Names | None, caller: FrameType) -> None:
    """What ``define`` does: names mean what `names` says, or what they do for the `caller`."""
    if not isinstance(text, str):
        raise UsageError(
            f"methods are defined by a text, not by a '{builtins.type(text).__name__}'"
        )
    known = names_of_frame(caller, text) if names is None else names
    with foreseen():
        define_methods(type, Source(text, "<string>"), OutsideNames(known))


@deep_recursion()
def define_methods(type: ClassType, source: Source, outside: Outside) -> None:
    """Compile the functions of a text as methods of a module's class: all of them or, if there is an error, none.

    `outside` resolves what the text does not define. Raises `CompileError`.
    """
    using = replace(toolchain(), outside=outside)
    siblings = SiblingFiles(partial(declare, toolchain=using))
    resolver, _ = declare(parse_source(source), {}, "", siblings, toolchain=using)
    before = dict(type.methods)
    try:
        made = [_declared(type, each, resolver) for each in resolver.definitions]
        for method in made:
            method.ensure_defined()
    except Error:
        type.methods.clear()
        type.methods.update(before)
        raise


def _declared(type: ClassType, definition: Def, resolver: Resolver) -> Function:
    name = definition.name.name
    if name in type.methods:
        raise CompileError(
            f"Can't redefine method: {name} on class: {type.qualified_name}",
            definition.name.range,
            code=codes.REDEFINED_FUNCTION,
            hint="give it another name",
        )
    method = as_method(definition, name, type)
    define = partial(define_function, method, resolver, toolchain())
    function = Function(f"{type.qualified_name}.{name}", define, range=definition.range)
    type.methods[name] = function
    return function
