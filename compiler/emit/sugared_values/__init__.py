"""The sugared values, one concept per file; the base is ``compiler.emit.protocols``."""

from tsc.compiler.emit.sugared_values.casts import CastValue, MagicMethod, PrintValue, SliceClass
from tsc.compiler.emit.sugared_values.enum_class import EnumClass
from tsc.compiler.emit.sugared_values.exceptions import (
    AssertionErrorClass,
    ExceptionClass,
    ExceptionMessageValue,
)
from tsc.compiler.emit.sugared_values.function_value import (
    BooleanDispatchValue,
    ClosureValue,
    FunctionValue,
    NamedTupleConstructor,
)
from tsc.compiler.emit.sugared_values.grad_mode import NO_GRAD, NoGradClass
from tsc.compiler.emit.sugared_values.iterables import IterableTree, RangeValue
from tsc.compiler.emit.sugared_values.namespace_value import (
    BuiltinModule,
    LibraryProvider,
    NamespaceValue,
    OperatorNamespaces,
)
from tsc.compiler.emit.sugared_values.other_modules import SourceModuleValue, UnknownModuleValue
from tsc.compiler.emit.sugared_values.serialized_names import ConstantTable, FunctionNamespace
from tsc.compiler.emit.sugared_values.simple_value import (
    BuiltinFunction,
    SimpleValue,
    TensorCastValue,
)
from tsc.compiler.emit.sugared_values.special_forms import (
    BoundFormValue,
    LegacyTensorConstructor,
    NoneValue,
    SliceValue,
    SpecialFormValue,
    TypeValue,
)
from tsc.compiler.emit.sugared_values.tuple_value import TupleValue

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
