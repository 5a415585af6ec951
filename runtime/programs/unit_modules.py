"""The modules of source texts: constructed by evaluation of the text, compiled, and their methods by path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from typing import Any

from tsc.compiler.compile import Toolchain
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.ir import Function
from tsc.compiler.reach import Reach, methods_of_class
from tsc.compiler.source import CompileError, Stage, UsageError, codes
from tsc.runtime.construction.construct import Construction
from tsc.runtime.construction.namespaces import PATHS, member
from tsc.runtime.construction.values.modules import ModuleInstance
from tsc.runtime.construction.values.protocol import MISSING
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.live.known_objects import known_path
from tsc.runtime.programs.unread_code import LeftOut
from tsc.runtime.python_api.script_module import ModuleMethod, ScriptModule
from tsc.runtime.scripting.concrete_types import ConcreteTypes
from tsc.runtime.scripting.evaluated_modules import EvaluatedModule
from tsc.runtime.scripting.script import evaluated_type, script_instance

_MOST_LISTED = 12


class UnitModules:
    """Makes the modules of the texts of one unit. What evaluates a text is made once."""

    def __init__(self, using: Toolchain, reach: Reach) -> None:
        self._toolchain = using
        self._reach = reach
        self._constructions: dict[SourceResolver, Construction] = {}

    def spelled(self, text: SourceResolver, name: str, init: str) -> ScriptModule:
        """An instance of a class of `text`. `init` spells the arguments of its constructor.

        Raises `UsageError`, `CompileError`, and `ScriptError` for what the constructor raises.
        """
        construction = self._construction(text)
        try:
            arguments, keywords = construction.arguments(init)
        except CompileError as error:
            raise UsageError(f"--init: cannot read {init!r}\n{error}") from None
        try:
            with Stage("construction", f"module '{name}'"):
                made = construction.construct(name, arguments, keywords)
        except ScriptError as error:
            if error.kind != "TypeError" or error.stack:
                raise
            hint = '--init gives what the constructor takes, as in --init "10, hidden=32"'
            raise UsageError(f"{error.message}\nhint: {hint}") from None
        return self._scripted(made, construction)

    def made(
        self, text: SourceResolver, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> ScriptModule:
        """The same from Python's values."""
        construction = self._construction(text)
        given = partial(_in_construction, construction)
        keywords = {key: given(each) for key, each in kwargs.items()}
        with Stage("construction", f"module '{name}'"):
            made = construction.construct(name, [*map(given, args)], keywords)
        return self._scripted(made, construction)

    def all_methods(self, text: SourceResolver) -> tuple[dict[str, Function], list[LeftOut]]:
        """The methods of all modules of a text, each made without arguments; and the classes for which that
        is not enough, unless they are part of another module.

        Raises `CompileError`, and `ScriptError` for what a constructor raises.
        """
        names = [name for name in text.class_names if text.is_module(name)]
        if not names:
            return {}, []
        construction = self._construction(text)
        types = ConcreteTypes(self._toolchain)
        methods: dict[str, Function] = {}
        lacking: dict[str, LeftOut] = {}
        typed: set[str] = set()
        for name in names:
            try:
                with Stage("construction", f"module '{name}'"):
                    made = construction.construct(name)
            except ScriptError as error:
                if error.kind != "TypeError" or error.stack:
                    raise
                reason = f"module '{name}', for {error.message}: name it, and give --init"
                lacking[name] = LeftOut(text.names.class_statement(name).range, reason)
                continue
            try:
                type = evaluated_type(types, EvaluatedModule(made, construction))
                types.compile(type)
            except RecursionError:
                raise endless(made.cls.name, construction.resolver) from None
            methods |= {f"{name}.{each.name}": each for each in methods_of_class(type.type)}
            typed |= classes_below(made)
        self._reach.define(methods.values())
        return methods, [each for name, each in lacking.items() if name not in typed]

    def _scripted(self, made: ModuleInstance, construction: Construction) -> ScriptModule:
        """The module compiled, with all of the classes that its methods meet."""
        try:
            module = script_instance(made, construction)
        except RecursionError:
            raise endless(made.cls.name, construction.resolver) from None
        types = dict.fromkeys(each.script_object.script_type for each in module.modules())
        self._reach.define(method for type in types for method in methods_of_class(type))
        return module

    def method(self, text: SourceResolver, path: str, init: str | None) -> ModuleMethod:
        """``Model.layers.0.forward``: the method at a path that begins with a class of `text`."""
        first, _, rest = path.partition(".")
        return method_at(self.spelled(text, first, init or ""), rest, path)

    def _construction(self, text: SourceResolver) -> Construction:
        if text not in self._constructions:
            self._constructions[text] = Construction(text, self._toolchain)
        return self._constructions[text]


def _in_construction(construction: Construction, value: Any) -> Any:
    """What a function of PyTorch's or of ``math`` is to a constructor; other values stay as they are."""
    module, _, name = (known_path(value) or "").rpartition(".") if callable(value) else ("", "", "")
    found = member(construction.evaluator, module, name) if module in PATHS else MISSING
    return value if found is MISSING else found


def classes_below(module: ModuleInstance) -> set[str]:
    """The names of the classes of a module and of all modules in it."""
    pending, found = [module], set[str]()
    seen: set[int] = set()
    while pending:
        current = pending.pop()
        if id(current) not in seen:
            seen.add(id(current))
            found.add(current.cls.name)
            pending += [
                each for each in current.modules.values() if isinstance(each, ModuleInstance)
            ]
    return found


def endless(name: str, text: SourceResolver) -> CompileError:
    """What is said of a module whose values hold themselves, or each other without end."""
    return CompileError(
        f"the module '{name}' holds itself, or values that are nested too deeply to have a type",
        text.names.class_statement(name).name.range,
        code=codes.NESTED_TOO_DEEPLY,
        hint="leave out of its attributes what holds the module or itself",
    )


def method_at(module: ScriptModule, path: str, name: str) -> ModuleMethod:
    """``layers.0.forward`` below a module; its ``forward`` if the path ends at a module."""
    value: object = module
    for part in path.split(".") if path else ():
        try:
            value = getattr(value, part)
        except AttributeError:
            raise UsageError(_no_member(value, part, name)) from None
    if isinstance(value, ScriptModule):
        value = value.forward
    if not isinstance(value, ModuleMethod):
        raise UsageError(f"{name!r} is no method")
    return value


def _no_member(value: object, part: str, path: str) -> str:
    """That there is no such method or module, with those that there are and the one that may be meant."""
    place = "" if part == path else f"{path!r}: "
    message = f"{place}there is no {part!r}"
    if not isinstance(value, ScriptModule):
        return message
    kinds = {"methods": [*value.methods], "modules": [name for name, _ in value.named_children()]}
    known = [f"{kind}: {_listed(names)}" for kind, names in kinds.items() if names]
    message += f" ({'; '.join(known)})" if known else ""
    close = get_close_matches(part, [*kinds["methods"], *kinds["modules"]], 1)
    return f"{message}\nhint: did you mean {close[0]!r}?" if close else message


def _listed(names: list[str]) -> str:
    rest = len(names) - _MOST_LISTED
    return ", ".join(names[:_MOST_LISTED]) + (f" and {rest} more" if rest > 0 else "")
