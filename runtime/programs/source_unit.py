"""The functions of one or more source texts, found by name and ready to be called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from tsc.compiler.compile import Toolchain, compile_source, declare_source, define_text
from tsc.compiler.emit.names.module_makers import makers_of_modules
from tsc.compiler.emit.resolvers.outside import NOTHING, Outside
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.ir import Function
from tsc.compiler.reach import Reach, methods_of_class
from tsc.compiler.source import Source, UsageError
from tsc.compiler.types import ClassType
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.programs.unread_code import LeftOut, unread_code

if TYPE_CHECKING:
    from tsc.compiler.emit.classes.defined_types import DefinedType
    from tsc.runtime.programs.unit_modules import UnitModules
    from tsc.runtime.python_api.script_function import ScriptFunction
    from tsc.runtime.python_api.script_module import ModuleMethod, ScriptModule

_ENTRY_POINTS = ("main", "forward")


class SourceUnit:
    """Functions that may call each other, compiled with one toolchain."""

    def __init__(
        self,
        toolchain: Toolchain,
        texts: Iterable[SourceResolver] = (),
        functions: Iterable[Function] = (),
    ) -> None:
        """`texts` are those of another unit, whose classes and constants this one may use; `functions` have no text."""
        self._toolchain = toolchain
        self._compiled: dict[str, Function] = {each.name: each for each in functions}
        self._scripted: dict[str, ScriptFunction] = {}
        self._texts = list(texts)
        self.left_out: list[LeftOut] = []
        """What was not compiled when all was asked for."""
        self._reach = Reach()

    @classmethod
    def from_source(
        cls,
        source: Source,
        *,
        strict: bool = False,
        using: Toolchain | None = None,
        at_once: bool = True,
    ) -> SourceUnit:
        """A unit of an already read source, compiled with the toolchain `using` if one is given."""
        unit = cls(toolchain(strict) if using is None else using)
        unit.define(source, at_once=at_once)
        return unit

    def define(self, source: Source, *, at_once: bool = True, outside: Outside = NOTHING) -> None:
        """Add functions, which may call those of the unit: all of them or, if there is an error, none.

        They are compiled `at_once`, or else each when it is first asked for, with what it reaches. `outside` is asked
        for the names that no text defines.
        Raises `CompileError`, also for the name of a function that the unit has already.
        """
        add = partial(compile_source, reach=self._reach) if at_once else declare_source
        using = replace(self._toolchain, outside=outside)
        add(source, using, self._compiled, earlier=self._texts)

    def define_expression(self, source: Source) -> SourceUnit:
        """A unit of its own for a text that may use the classes and constants of this one."""
        unit = SourceUnit(self._toolchain, self._texts)
        unit.define(source)
        return unit

    @property
    def class_names(self) -> list[str]:
        """The names of the classes of all texts, those that cannot be used included."""
        return [name for text in self._texts for name in text.class_names]

    def class_type(self, name: str) -> DefinedType | None:
        """The type that a class of that name is, if there is one. Raises `CompileError`."""
        types = (text.class_type(name) for text in reversed(self._texts))
        return next((type for type in types if type is not None), None)

    @property
    def compiled(self) -> Mapping[str, Function]:
        """Every function, by name, in the order of the text. Its graph is made when it is asked for."""
        return self._compiled

    def function(self, name: str) -> ScriptFunction:
        """The function of that name, compiled; raises `UsageError` if there is none, and `CompileError`."""
        if name not in self._scripted:
            self._scripted[name] = _script_function(self._defined(name))
        return self._scripted[name]

    def _defined(self, name: str) -> Function:
        function = self._compiled[self.existing(name)]
        self._reach.define([function])
        return function

    def existing(self, name: str) -> str:
        """`name`, if there is a function of that name; raises `UsageError` otherwise."""
        if name not in self._compiled:
            raise UsageError(f"there is no function {name!r} {self._choice()}{self._unread(name)}")
        return name

    def selected(self, name: str | None, init: str | None = None) -> dict[str, Function]:
        """The functions that a command is about, by what to call them.

        `name` is a function, a class, ``Class.method``, or a module's method however deep, as in
        ``Model.layers.0.forward``; None means all functions and all methods of script classes.
        `init` are the arguments for the constructor of a module. Raises `UsageError`.
        """
        if not self._makes_module(name):
            refuse_init(init, name)
        if name is None:
            functions, methods = self._everything()
            return functions | methods
        if name in self._compiled:
            return {name: self._defined(name)}
        first, _, path = name.partition(".")
        text = self._text_with_module(first)
        if text is not None:
            method = self._modules.method(text, name, init)
            return {name if path else f"{name}.{method.name}": method.function}
        methods = self._methods_of_classes(first)
        chosen = methods if not path else {name: methods[name]} if name in methods else {}
        return chosen or {name: self._defined(name)}

    def _everything(self) -> tuple[dict[str, Function], dict[str, Function]]:
        """All functions, and all methods of classes and of modules that are made without arguments.

        What is not among them is `left_out`. Raises `UsageError` if that is all there is.
        """
        for text in self._texts:
            define_text(text, self._compiled, self._reach)
        makers = frozenset().union(*map(makers_of_modules, self._texts))
        functions = {name: each for name, each in self._compiled.items() if name not in makers}
        methods: dict[str, Function] = {}
        self.left_out = [
            LeftOut(self._compiled[name].range, f"function '{name}', which makes or takes modules")
            for name in sorted(makers)
        ]
        for text in self._texts:
            if any(map(text.is_module, text.class_names)):
                found, lacking = self._modules.all_methods(text)
                methods |= found
                self.left_out += lacking
            self.left_out += unread_code(text)
        methods = self._methods_of_classes() | methods
        if self.left_out and not functions and not methods:
            listed = "\n".join(f"  {each}" for each in self.left_out)
            raise UsageError(f"there is nothing to compile but what is left out:\n{listed}")
        return functions, methods

    def _methods_of_classes(self, only: str | None = None) -> dict[str, Function]:
        types = [self.class_type(only)] if only else self._used_classes()
        methods = {
            f"{type.name}.{method.name}": method
            for type in types
            if isinstance(type, ClassType)
            for method in methods_of_class(type)
        }
        self._reach.define(methods.values())
        return methods

    def _module_classes(self) -> list[str]:
        return [name for text in self._texts for name in text.class_names if text.is_module(name)]

    def _used_classes(self) -> list[ClassType]:
        return [type for text in self._texts for type in text.script_classes]

    def _text_with_module(self, name: str) -> SourceResolver | None:
        return next((text for text in reversed(self._texts) if text.is_module(name)), None)

    def module(self, name: str, init: str | None = None) -> ScriptModule:
        """An instance of a module's class, compiled. `init` spells the arguments of its constructor.

        Raises `UsageError`, `CompileError`, and `ScriptError` for what the constructor raises.
        """
        return self._modules.spelled(self._text_of_module(name), name, init or "")

    def make_module(self, name: str, *args: object, **kwargs: object) -> ScriptModule:
        """An instance of a module's class, compiled, from Python's values."""
        return self._modules.made(self._text_of_module(name), name, args, kwargs)

    def is_module(self, name: str) -> bool:
        return self._text_with_module(name) is not None

    @cached_property
    def _modules(self) -> UnitModules:
        """What makes modules, loaded when there is one to make."""
        from tsc.runtime.programs.unit_modules import UnitModules

        return UnitModules(self._toolchain, self._reach)

    def _makes_module(self, name: str | None) -> bool:
        """Whether `name` is that of a module's class, or leads into one."""
        return (
            name is not None
            and name not in self._compiled
            and self.is_module(name.partition(".")[0])
        )

    def _text_of_module(self, name: str) -> SourceResolver:
        text = self._text_with_module(name)
        if text is None:
            raise UsageError(f"there is no module class {name!r} {self._choice()}")
        return text

    def choose(self, name: str | None, init: str | None = None) -> ScriptFunction | ModuleMethod:
        """What to run: the function or method named, or else the only one, or ``main``, or ``forward``.

        The only module class of a file without functions is run by its ``forward``.
        """
        if name is None:
            name = self._entry_point()
        if not self._makes_module(name):
            refuse_init(init, name)
        if name in self._compiled:
            return self.function(name)
        first, _, path = name.partition(".")
        text = self._text_with_module(first)
        if text is not None:
            return self._modules.method(text, name, init)
        static = self._methods_of_classes(first).get(name) if path else None
        return self.function(name) if static is None else _script_function(static)

    def printed(self, name: str | None, init: str | None = None) -> str:
        """Functions, and the classes that they use, as Python source that compiles to the same graphs."""
        from tsc.compiler.printing.python_classes import print_functions

        if name is not None:
            return print_functions(self.selected(name, init).values())
        refuse_init(init, name)
        functions, methods = self._everything()
        return print_functions(functions.values(), methods.values())

    def _entry_point(self) -> str:
        if len(self._compiled) == 1:
            return next(iter(self._compiled))
        for entry in _ENTRY_POINTS:
            if entry in self._compiled:
                return entry
        modules = self._module_classes()
        if len(modules) == 1 and not self._compiled:
            return modules[0]
        if not self._compiled and not self.class_names:
            raise UsageError(
                f"there is nothing to run: the file defines no function{self._unread()}"
            )
        raise UsageError(f"which function to run? Name one {self._choice()}{self._unread()}")

    def _unread(self, name: str = "") -> str:
        """What there is of that name, or at all, in statements that are not executed."""
        found = [each for text in self._texts for each in unread_code(text)]
        found = [each for each in found if not name or f"'{name}'" in each.reason]
        return "".join(f"\nnot read is {each}" for each in found)

    def _choice(self) -> str:
        names = ", ".join(self._compiled)
        classes = ", ".join(self.class_names)
        known = [f"the functions are {names}"] if names else []
        known += [f"the classes are {classes}"] if classes else []
        return f"({'; '.join(known)})" if known else "(the file defines no function)"


def refuse_init(init: str | None, name: str | None) -> None:
    """Raise `UsageError` if constructor arguments are given for what no constructor makes."""
    if init is not None:
        refused = "no module is named" if name is None else f"'{name}' is no module"
        raise UsageError(f"--init: {refused}, so that no constructor takes arguments")


def _script_function(function: Function) -> ScriptFunction:
    """A function to be called, with the executor, which compiling needs not."""
    from tsc.runtime.python_api.script_function import ScriptFunction

    return ScriptFunction(function)
