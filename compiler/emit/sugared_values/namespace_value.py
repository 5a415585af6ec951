"""Modules of Python that TorchScript knows, and what their attributes stand for."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches

from tsc.compiler.emit.calls.builtin_calls import unknown_builtin
from tsc.compiler.emit.calls.builtin_functions import builtin_definitions
from tsc.compiler.emit.names import known_modules as known
from tsc.compiler.emit.names.absent_names import absent_member, absent_operator
from tsc.compiler.emit.names.operators_outside_torch import OPERATORS_OUTSIDE_TORCH
from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.emit.sugared_values.class_value import ClassValue
from tsc.compiler.emit.sugared_values.deferred_function import DeferredFunction
from tsc.compiler.emit.sugared_values.function_value import BooleanDispatchValue, FunctionValue
from tsc.compiler.emit.sugared_values.grad_mode import NoGradClass
from tsc.compiler.emit.sugared_values.record_function import PATHS as RECORD_FUNCTION_PATHS
from tsc.compiler.emit.sugared_values.record_function import RECORD_FUNCTION
from tsc.compiler.emit.sugared_values.simple_value import BuiltinFunction, SimpleValue
from tsc.compiler.emit.sugared_values.special_forms import (
    LegacyTensorConstructor,
    SpecialFormValue,
    TypeValue,
)
from tsc.compiler.ir import MANGLED, Function, Value
from tsc.compiler.source import CompileError, SourceRange, codes, extensions

LibraryProvider = Callable[[str], "Function | None"]
"""Gives a function of the library by its qualified name, ``__torch__.torch.nn.functional.relu``."""
_IN_PYTHON_ALONE = "torch._C._VariableFunctions"
TENSOR_HINT = "torch.tensor(...) makes one"


class BuiltinModule(SugaredValue):
    """A namespace of operators, as serialized code has it: ``torch.add`` is ``aten::add``."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def kind(self) -> str:
        return "builtin module"

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        return BuiltinFunction(f"{self.name}::{name}")


class OperatorNamespaces(SugaredValue):
    """``ops`` in serialized code: ``ops.prim.NumToTensor`` is an operator of that namespace."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        return "builtin module"

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        return BuiltinModule(name)


class ConstantFunction(SugaredValue):
    """A function without arguments whose answer is known."""

    __slots__ = ("result",)

    def __init__(self, result: object) -> None:
        self.result = result

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return "function"

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        if args or kwargs:
            count = len(args) + len(kwargs)
            raise self._refusal(
                range,
                f"Expected at most 0 arguments but found {count}",
                code=codes.TOO_MANY_ARGUMENTS,
            )
        return SimpleValue(emitter.graph.insert_constant(self.result, range=range))


class LibraryFunction(DeferredFunction):
    """A function of the library."""

    __slots__ = ("library", "path")

    def __init__(self, path: str, library: LibraryProvider) -> None:
        self.path = path
        self.library = library

    def meaning(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        function = self.library(f"__torch__.{self.path}")
        if function is None:
            raise self._refusal(
                range, f"{self.path} is currently not supported", code=codes.UNKNOWN_MODULE_MEMBER
            )
        return FunctionValue(function)


class OperatorOrFunction(SugaredValue):
    """A name that source text without imports leaves open: an operator, or else a function.

    `differs`: the function takes its arguments in another order, so that a call which fits it is
    one of it. Where there are several results, serialized code takes the operator's apart at once.
    """

    __slots__ = ("differs", "function", "operator")

    def __init__(self, operator: BuiltinFunction, function: SugaredValue, *, differs: bool) -> None:
        self.operator = operator
        self.function = function
        self.differs = differs

    @property
    def is_independent(self) -> bool:
        return self.operator.is_independent

    @property
    def kind(self) -> str:
        return self.operator.kind

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        operators = emitter.operators.operators_for(self.operator.name)
        if any(len(operator.schema.returns) not in (1, binders) for operator in operators):
            return self.function.call(range, emitter, args, kwargs, binders)
        first, second = self.operator, self.function
        if self.differs:
            first, second = second, first
        try:
            return first.call(range, emitter, args, kwargs, binders)
        except CompileError:
            return second.call(range, emitter, args, kwargs, binders)


class NamespaceValue(SugaredValue):
    """A module by its path: ``torch``, ``torch.nn.functional``, ``math``.

    ``operators_first`` is for texts that use ``torch`` without importing it, which may be
    serialized code: there ``torch.norm`` is the operator if the arguments fit it.
    """

    __slots__ = ("library", "operators_first", "path")

    def __init__(
        self, path: str, library: LibraryProvider, *, operators_first: bool = False
    ) -> None:
        self.path = path
        self.library = library
        self.operators_first = operators_first

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return "python value of type 'module'"

    def as_value(self, range: SourceRange, emitter: Emitter) -> Value:
        raise self._refusal(
            range,
            f"{self.kind} cannot be used as a value. Perhaps it is a closed over global variable? "
            "If so, please consider passing it in as an argument or use a local variable instead.",
            code=codes.NOT_A_VALUE,
        )

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        found = self.member(range, emitter, name)
        if found is not None:
            return found
        raise self._unknown_member(range, emitter, name)

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        """In serialized code an operator may have a module's name: ``torch.cuda(x)`` is ``x.cuda()``."""
        module, _, name = self.path.rpartition(".")
        operator = NamespaceValue(module, self.library)._operator(emitter, name)
        if operator is None or not self.operators_first:
            return super().call(range, emitter, args, kwargs, binders)
        return operator.call(range, emitter, args, kwargs, binders)

    def has_attribute(self, range: SourceRange, emitter: Emitter, name: str) -> bool:
        return self.member(range, emitter, name) is not None

    def member(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue | None:
        """What a name in this module stands for, or None if it is unknown."""
        path = f"{self.path}.{name}"
        if path in known.MODULES:
            return NamespaceValue(path, self.library, operators_first=self.operators_first)
        if path in known.CONSTANTS:
            constant = known.CONSTANTS[path]
            return SimpleValue(emitter.graph.insert_constant(constant, range=range))
        if self.path == "torch.ops" and _is_operator_namespace(emitter, name):
            return BuiltinModule(name)
        if path in known.NOT_COMPILED_BY_PYTORCH or self.path == _IN_PYTHON_ALONE:
            refusal = f"PyTorch cannot compile its function '{path}'"
            emitter.acceptance.use(extensions.LIBRARY_FUNCTIONS, range, refusal)
        if self.path == "torch" and name in OPERATORS_OUTSIDE_TORCH and not self.operators_first:
            refusal = (
                f"object has no attribute {name}: PyTorch has this operator, but no 'torch.{name}'"
            )
            emitter.acceptance.use(extensions.LIBRARY_FUNCTIONS, range, refusal)
        return self._special(path) or self._function(emitter, path, name)

    def _special(self, path: str) -> SugaredValue | None:
        if path in known.SPECIAL_FORMS:
            return SpecialFormValue(known.SPECIAL_FORMS[path])
        if path in known.LEGACY_CONSTRUCTORS:
            return LegacyTensorConstructor(known.LEGACY_CONSTRUCTORS[path])
        if path in known.CONSTANT_FUNCTIONS:
            return ConstantFunction(known.CONSTANT_FUNCTIONS[path])
        if path == "torch.Tensor":
            return TypeValue("torch.Tensor", TENSOR_HINT)
        if path in ("torch.no_grad", "torch.autograd.grad_mode.no_grad", "torch.autograd.no_grad"):
            return NoGradClass()
        if path in RECORD_FUNCTION_PATHS:
            return ClassValue(RECORD_FUNCTION)
        module, _, name = path.rpartition(".")
        if module in ("typing", "typing_extensions") and name in known.TYPING_NAMES:
            return TypeValue(name)
        return None

    def _function(self, emitter: Emitter, path: str, name: str) -> SugaredValue | None:
        if path in known.OPERATORS:
            return BuiltinFunction(known.OPERATORS[path])
        operator = self._operator(emitter, name)
        function = self._library_function(path)
        if operator is None or function is None:
            return operator or function
        if not self.operators_first:
            return function
        return OperatorOrFunction(operator, function, differs=path in known.OTHER_ARGUMENTS)

    def _operator(self, emitter: Emitter, name: str) -> BuiltinFunction | None:
        prefix = known.OPERATOR_PREFIXES.get(self.path)
        if prefix is None:
            return None
        operator = prefix + name
        exists = operator in emitter.operators or bool(builtin_definitions(operator))
        return BuiltinFunction(operator) if exists else None

    def _library_function(self, path: str) -> SugaredValue | None:
        path = known.LIBRARY_ALIASES.get(path, path)
        if path in known.DISPATCHES:
            return self._dispatch(known.DISPATCHES[path])
        if path.rpartition(".")[0] not in known.LIBRARY_MODULES:
            return None
        functions = tuple(self._overloads(path))
        return FunctionValue(*functions) if functions else None

    def _overloads(self, path: str) -> Iterator[Function]:
        """The functions of the library with that path; numbers tell the further ones apart."""
        module, _, name = path.rpartition(".")
        function = self.library(f"__torch__.{path}")
        number = 0
        while function is not None:
            yield function
            function = self.library(f"__torch__.{module}.{MANGLED}{number}.{name}")
            number += 1

    def _dispatch(self, dispatch: known.Dispatch | str) -> SugaredValue:
        if isinstance(dispatch, str):
            return LibraryFunction(dispatch, self.library)
        flag, position, if_true, if_false = dispatch
        return BooleanDispatchValue(
            flag, position, self._dispatch(if_true), self._dispatch(if_false)
        )

    def _unknown_member(self, range: SourceRange, emitter: Emitter, name: str) -> CompileError:
        if self.path in ("math", "cmath") and hasattr(_PYTHON_MODULES[self.path], name):
            return CompileError(
                f"Python builtin {self.path}.{name} is currently not supported in TorchScript",
                range,
                code=codes.NO_PYTHON_BUILTIN,
            )
        if self.path.startswith("torch.nn") and name[:1].isupper():
            return CompileError(
                f"Cannot instantiate class '{name}' in a script function",
                range,
                code=codes.NO_MODULE_CLASS,
                hint="call the function of torch.nn.functional, with the parameters as arguments",
            )
        message = f"object has no attribute {name}"
        absence = absent_member(self.path, name)
        if absence is not None:
            return CompileError(
                f"{message}\n{absence.message}.",
                range,
                code=codes.UNKNOWN_MODULE_MEMBER,
                hint=absence.way_out,
            )
        prefix = known.OPERATOR_PREFIXES.get(self.path)
        if prefix is None:
            return CompileError(
                message,
                range,
                code=codes.UNKNOWN_MODULE_MEMBER,
                hint=self._suggestion(name, emitter),
            )
        missing = absent_operator(prefix + name)
        return CompileError(
            f"{message}\n{unknown_builtin(prefix + name, emitter)}",
            range,
            code=codes.UNKNOWN_MODULE_MEMBER,
            hint=None if missing is None else missing.way_out,
        )

    def _suggestion(self, name: str, emitter: Emitter) -> str:
        start = f"{self.path}."
        paths = (*known.OPERATORS, *known.CONSTANTS)
        names = [path.removeprefix(start) for path in paths if path.startswith(start)]
        if self.path in known.LIBRARY_MODULES:
            operators = [
                each.rpartition("::")[2] for each in emitter.operators.similar(f"aten::{name}")
            ]
            names += [each for each in operators if self._library_function(start + each)]
        similar = get_close_matches(name, names, n=1)
        if similar:
            return f"did you mean '{self.path}.{similar[0]}'?"
        return f"'{self.path}.{name}' is not implemented or does not exist"


_PYTHON_MODULES = {"math": math, "cmath": cmath}


def _is_operator_namespace(emitter: Emitter, name: str) -> bool:
    """Whether there are operators ``name::...``, such as users register."""
    return any(operator.startswith(f"{name}::") for operator in emitter.operators.names())
