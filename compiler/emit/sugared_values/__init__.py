"""The sugared values, one concept per file; the base is ``compiler.emit.sugared_value``."""

from compiler.emit.sugared_values.casts import CastValue, MagicMethod, PrintValue, SliceClass
from compiler.emit.sugared_values.enum_class import EnumClass
from compiler.emit.sugared_values.exceptions import (
    AssertionErrorClass,
    ExceptionClass,
    ExceptionMessageValue,
)
from compiler.emit.sugared_values.function_value import (
    BooleanDispatchValue,
    ClosureValue,
    FunctionValue,
    NamedTupleConstructor,
)
from compiler.emit.sugared_values.grad_mode import NO_GRAD, NoGradClass
from compiler.emit.sugared_values.iterables import IterableTree, RangeValue
from compiler.emit.sugared_values.namespace_value import (
    BuiltinModule,
    LibraryProvider,
    NamespaceValue,
    OperatorNamespaces,
)
from compiler.emit.sugared_values.other_modules import SourceModuleValue, UnknownModuleValue
from compiler.emit.sugared_values.serialized_names import ConstantTable, FunctionNamespace
from compiler.emit.sugared_values.simple_value import (
    BuiltinFunction,
    SimpleValue,
    TensorCastValue,
)
from compiler.emit.sugared_values.special_forms import (
    BoundFormValue,
    LegacyTensorConstructor,
    NoneValue,
    SliceValue,
    SpecialFormValue,
    TypeValue,
)
from compiler.emit.sugared_values.tuple_value import TupleValue

__all__ = [
    "AssertionErrorClass",
    "BoundFormValue",
    "SourceModuleValue",
    "UnknownModuleValue",
    "ConstantTable",
    "FunctionNamespace",
    "BuiltinModule",
    "LibraryProvider",
    "NamespaceValue",
    "OperatorNamespaces",
    "NO_GRAD",
    "NoGradClass",
    "BooleanDispatchValue",
    "BuiltinFunction",
    "CastValue",
    "ClosureValue",
    "EnumClass",
    "ExceptionClass",
    "ExceptionMessageValue",
    "FunctionValue",
    "IterableTree",
    "LegacyTensorConstructor",
    "MagicMethod",
    "NamedTupleConstructor",
    "NoneValue",
    "PrintValue",
    "RangeValue",
    "SimpleValue",
    "SliceClass",
    "SliceValue",
    "SpecialFormValue",
    "TensorCastValue",
    "TupleValue",
    "TypeValue",
]
