"""What live objects mean in a program: modules, functions, classes and constants."""

from __future__ import annotations

import enum
import functools
import inspect
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

from tsc.compiler.emit.classes.defined_types import DefinedType, class_value
from tsc.compiler.emit.names.known_modules import LIBRARY_FILES
from tsc.compiler.emit.names.module_constants import closed_over, insert_module_constant
from tsc.compiler.emit.protocols import Emitter, SugaredValue
from tsc.compiler.emit.sugared_values import (
    ExceptionClass,
    FunctionValue,
    NamespaceValue,
    SimpleValue,
    TypeValue,
    UnknownModuleValue,
)
from tsc.compiler.emit.sugared_values.deferred_function import DeferredFunction
from tsc.compiler.emit.sugared_values.function_templates import Template, TemplateValue
from tsc.compiler.emit.sugared_values.namespace_value import TENSOR_HINT
from tsc.compiler.emit.sugared_values.python_function import DroppedFunctionValue
from tsc.compiler.frontend.function_types import is_function_type
from tsc.compiler.source import CompileError, codes, extensions
from tsc.compiler.types import ClassType, Device, EnumType, InterfaceType, TupleType
from tsc.runtime.arrays.dtypes import DType
from tsc.runtime.live.known_objects import FACADE, known_path, path_in_facade
from tsc.runtime.live.markers import modifier_of
from tsc.runtime.live.module_classes import ModuleClassValue
from tsc.runtime.live.partials import PartialValue
from tsc.runtime.live.python_calls import PythonCallValue
from tsc.runtime.live.python_objects import object_value
from tsc.runtime.live.source_texts import NoSource
from tsc.runtime.live.values import NoConstant, constant_of
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.python_api.script_module import ScriptModule

if TYPE_CHECKING:
    from tsc.compiler.source import SourceRange
    from tsc.runtime.live.protocols import LiveCompilation

_UNAVAILABLE = ("numpy", "scipy", "os", "sys", "random", "time", "re")
_DEFINED = (TupleType, EnumType, ClassType, InterfaceType)


class Meanings:
    """Turns objects of Python into sugared values."""

    def __init__(self, compilation: LiveCompilation) -> None:
        self._compilation = compilation

    def of(
        self, value: Any, name: str, emitter: Emitter, range: SourceRange, *, closed: bool
    ) -> SugaredValue:
        value = inspect.getattr_static(
            value, "_torchdynamo_inline", value
        )  # what torch.jit compiled
        if isinstance(value, ModuleType):
            return self._module(value)
        if isinstance(value, ScriptFunction):
            return FunctionValue(value.function)
        if isinstance(value, functools.partial):
            return PartialValue(value, name, self._compilation)
        found = self._known(value, emitter, range)
        if found is not None:
            return found
        if isinstance(value, FunctionType):
            return self._function(value, range)
        if isinstance(value, ScriptModule):
            raise _not_a_submodule(range)
        called = object_value(value, self._compilation)
        if called is not None:
            return called
        if isinstance(value, type):
            return self._class(value, range)
        return self._constant(value, name, emitter, range, closed=closed)

    # -- Modules and what is known of them -------------------------------------------------------

    def _module(self, module: ModuleType) -> SugaredValue:
        path = known_path(module)
        if path is not None:
            return LiveNamespaceValue(module, path, self._compilation)
        if module.__name__ == FACADE:
            return FacadeValue(self._compilation)
        if module.__name__.partition(".")[0] in _UNAVAILABLE:
            return UnknownModuleValue(module.__name__)
        return LiveModuleValue(module, self._compilation)

    def _known(self, value: Any, emitter: Emitter, range: SourceRange) -> SugaredValue | None:
        """What an object of ``torch``, ``math`` or ``typing`` is by its path."""
        path = known_path(value)
        if path is None:
            return None
        if path == "torch.Tensor":
            return TypeValue("torch.Tensor", TENSOR_HINT)
        module, _, name = path.rpartition(".")
        if module in LIBRARY_FILES:
            file = self._compilation.toolchain.library_file(module)
            return None if file is None else file.resolve_value(name, emitter, range)
        namespace = NamespaceValue(module, self._compilation.toolchain.library)
        return namespace.member(range, emitter, name)

    # -- Functions -------------------------------------------------------------------------------

    def _function(self, function: FunctionType, range: SourceRange) -> SugaredValue:
        modifier = modifier_of(function)
        try:
            definition, resolver = self._compilation.definition(function)
        except NoSource as error:
            raise _not_compiled(str(error), range) from None
        if modifier in ("ignore", "unused", "_drop"):
            types = resolver.types.parse_type
            if modifier == "ignore":
                return PythonCallValue(function, definition.decl, types, self._compilation)
            return DroppedFunctionValue(function.__name__, definition.decl, types)
        if any(
            is_function_type(param.type, resolver.qualified_name)
            for param in definition.decl.params
        ):
            return TemplateValue(Template(definition, resolver, function.__name__))
        return FunctionValue(*self._compilation.functions(function))

    # -- Classes ---------------------------------------------------------------------------------

    def _class(self, cls: type, range: SourceRange) -> SugaredValue:
        if issubclass(cls, BaseException):
            module = cls.__module__
            return ExceptionClass(f"{module}.{cls.__qualname__.rpartition('.')[2]}")
        found = self._compilation.type_of_class(cls, range)
        if isinstance(found, _DEFINED):
            defined: DefinedType = found
            return class_value(defined)
        if hasattr(cls, "named_parameters"):
            return ModuleClassValue(cls, self._compilation, range)
        return TypeValue(cls.__name__)

    # -- Values ----------------------------------------------------------------------------------

    def _constant(
        self, value: Any, name: str, emitter: Emitter, range: SourceRange, *, closed: bool
    ) -> SugaredValue:
        try:
            constant = constant_of(value, self._compilation, range)
        except NoConstant:
            raise _not_constant(value, name, range) from None
        if closed and not name.startswith("the default of") and not _is_free(value):
            emitter.acceptance.use(extensions.MODULE_CONSTANTS, range, closed_over(constant))
        return SimpleValue(insert_module_constant(emitter.graph, constant, range))


def _is_free(value: Any) -> bool:
    """Whether PyTorch takes such a constant from anywhere: dtypes, devices, members of enums."""
    return isinstance(value, DType | Device | enum.Enum)


_AS_SUBMODULE = (
    "make it a submodule of the module whose method calls it, and call it as self.name(...)"
)


def _not_a_submodule(range: SourceRange) -> CompileError:
    return CompileError(
        "Cannot call a ScriptModule that is not a submodule of the caller",
        range,
        code=codes.GLOBAL_NOT_CONSTANT,
        hint=_AS_SUBMODULE,
    )


def _not_constant(value: Any, name: str, range: SourceRange) -> CompileError:
    kind = type(value).__name__
    hint = "pass it in as an argument or use a local variable instead"
    if hasattr(value, "named_parameters"):
        hint = _AS_SUBMODULE
    elif isinstance(value, MethodType):
        hint = "call a function, and give it the object as an argument"
    elif isinstance(value, BuiltinFunctionType) or inspect.isbuiltin(value):
        hint = "tsc has no operator of that name; write it with others"
    return CompileError(
        f"python value '{name}' of type '{kind}' cannot be used as a value. Perhaps it is a closed "
        "over global variable? If so, please consider passing it in as an argument or use a local "
        "variable instead.",
        range,
        code=codes.GLOBAL_NOT_CONSTANT,
        hint=hint,
    )


def _not_compiled(text: str, range: SourceRange) -> CompileError:
    message, _, hint = text.partition("\nhint: ")
    return CompileError(message, range, code=codes.GLOBAL_NOT_CONSTANT, hint=hint or None)


class LiveModuleValue(SugaredValue):
    """A module of the user's: its names are what they are bound to in it."""

    __slots__ = ("compilation", "module")

    def __init__(self, module: ModuleType, compilation: LiveCompilation) -> None:
        self.module = module
        self.compilation = compilation

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return "python value of type 'module'"

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        if not hasattr(self.module, name):
            raise CompileError(
                f"module '{self.module.__name__}' has no attribute {name}",
                range,
                code=codes.UNKNOWN_IMPORT,
                subject=f"{self.module.__name__}.{name}",
            )
        value = getattr(self.module, name)
        return self.compilation.meaning(value, name, emitter, range, closed=False)

    def has_attribute(self, range: SourceRange, emitter: Emitter, name: str) -> bool:
        return hasattr(self.module, name)


class LiveNamespaceValue(NamespaceValue):
    """A module that the compiler knows. What it does not know of ``torch`` is compiled from there."""

    __slots__ = ("compilation", "module")

    def __init__(self, module: ModuleType, path: str, compilation: LiveCompilation) -> None:
        super().__init__(path, compilation.toolchain.library)
        self.module = module
        self.compilation = compilation

    def member(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue | None:
        value = getattr(self.module, name, None)
        is_module = isinstance(value, ModuleType)
        found = None if is_module else super().member(range, emitter, name)
        is_compiled = isinstance(value, FunctionType | type) and self.path.startswith("torch")
        if found is not None or not (is_module or is_compiled):
            return found or super().member(range, emitter, name)
        return self.compilation.meaning(value, name, emitter, range, closed=False)


class FacadeValue(SugaredValue):
    """``tsc`` in a program: what ``torch`` and ``torch.jit`` are together."""

    __slots__ = ("compilation",)

    def __init__(self, compilation: LiveCompilation) -> None:
        self.compilation = compilation

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return "python value of type 'module'"

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        module, _, name = path_in_facade(name).rpartition(".")
        library = self.compilation.toolchain.library
        return NamespaceValue(module, library).attribute(range, emitter, name)

    def has_attribute(self, range: SourceRange, emitter: Emitter, name: str) -> bool:
        module, _, name = path_in_facade(name).rpartition(".")
        library = self.compilation.toolchain.library
        return NamespaceValue(module, library).has_attribute(range, emitter, name)


class LiveFunctionValue(DeferredFunction):
    """A function of the user's Python."""

    __slots__ = ("compilation", "function")

    def __init__(self, function: Any, compilation: LiveCompilation) -> None:
        self.function = function
        self.compilation = compilation

    def meaning(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        name = getattr(self.function, "__name__", "function")
        return self.compilation.meaning(self.function, name, emitter, range, closed=False)
