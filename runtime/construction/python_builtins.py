"""The builtin functions of Python that programs may use while they are evaluated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tsc.runtime.construction import python_types as types
from tsc.runtime.construction.errors import ConstructionError
from tsc.runtime.construction.host.host_types import as_value
from tsc.runtime.construction.host.texts import formatted
from tsc.runtime.construction.iteration import Elements
from tsc.runtime.construction.values.classes import ClassObject, SuperObject
from tsc.runtime.construction.values.functions import NativeFunction
from tsc.runtime.construction.values.instances import ExceptionObject, Instance
from tsc.runtime.construction.values.operators import ABSOLUTE
from tsc.runtime.construction.values.protocol import MISSING, Evaluator
from tsc.runtime.construction.values.value import type_name

_MOST_DIGITS = 400
_MOST_BITS = 4096


def _isinstance(evaluator: Evaluator, value: Any, classes: Any) -> bool:
    return evaluator.is_instance(value, classes)


def _issubclass(evaluator: Evaluator, cls: Any, classes: Any) -> bool:
    if not isinstance(cls, ClassObject):
        raise TypeError("issubclass() arg 1 must be a class")
    if isinstance(classes, tuple):
        return any(_issubclass(evaluator, cls, each) for each in classes)
    return cls.is_subclass_of(classes)


def _getattr(evaluator: Evaluator, value: Any, name: str, *default: Any) -> Any:
    if not default:
        return evaluator.get_attribute(value, name)
    found = evaluator.find_attribute(value, name)
    return default[0] if found is MISSING else found


def _hasattr(evaluator: Evaluator, value: Any, name: str) -> bool:
    return evaluator.find_attribute(value, name) is not MISSING


def _setattr(evaluator: Evaluator, value: Any, name: str, item: Any) -> None:
    if not isinstance(name, str):
        raise TypeError(f"attribute name must be string, not '{type(name).__name__}'")
    evaluator.set_attribute(value, name, item)


def _delattr(evaluator: Evaluator, value: Any, name: str) -> None:
    as_value(value).delete_attribute(evaluator, name)


def _super(evaluator: Evaluator, cls: ClassObject, receiver: Any = None) -> SuperObject:
    if not isinstance(cls, ClassObject):
        raise TypeError("super() argument 1 must be a type")
    return SuperObject(cls, receiver)


def _sum(evaluator: Evaluator, values: Any, start: Any = 0) -> Any:
    for each in evaluator.iterate(values):
        start = evaluator.binary("+", start, each)
    return start


def _extreme(kind: str, name: str) -> Any:
    def choose(evaluator: Evaluator, *values: Any, key: Any = None, default: Any = MISSING) -> Any:
        given = evaluator.listed(values[0]) if len(values) == 1 else list(values)
        if not given:
            if default is MISSING:
                raise ValueError(f"{name}() arg is an empty sequence")
            return default
        best = given[0]
        rank = best if key is None else evaluator.call(key, [best])
        for each in given[1:]:
            other = each if key is None else evaluator.call(key, [each])
            if evaluator.truth(evaluator.binary(kind, other, rank)):
                best, rank = each, other
        return best

    return choose


def _sorted(
    evaluator: Evaluator, values: Any, *, key: Any = None, reverse: bool = False
) -> list[Any]:
    call_key = None if key is None else (lambda each: evaluator.call(key, [each]))
    return sorted(evaluator.iterate(values), key=call_key, reverse=evaluator.truth(reverse))


def _enumerate(evaluator: Evaluator, values: Any, start: int = 0) -> Iterator[Any]:
    elements = evaluator.iterate(values)
    return Elements(evaluator, enumerate(elements, start), elements)


def _zip(evaluator: Evaluator, *values: Any, strict: bool = False) -> Iterator[Any]:
    rows = [evaluator.iterate(each) for each in values]
    return Elements(evaluator, zip(*rows, strict=strict), *rows)


def _map(evaluator: Evaluator, function: Any, *values: Any) -> Iterator[Any]:
    rows = [evaluator.iterate(each) for each in values]
    return Elements(evaluator, (evaluator.call(function, row) for row in zip(*rows)), *rows)


def _filter(evaluator: Evaluator, function: Any, values: Any) -> Iterator[Any]:
    def keeps(value: Any) -> bool:
        return evaluator.truth(value if function is None else evaluator.call(function, [value]))

    elements = evaluator.iterate(values)
    return Elements(evaluator, (each for each in elements if keeps(each)), elements)


def _reversed(evaluator: Evaluator, values: Any) -> Iterator[Any]:
    return as_value(values).reversed(evaluator)


def _any(evaluator: Evaluator, values: Any) -> bool:
    return any(evaluator.truth(each) for each in evaluator.iterate(values))


def _all(evaluator: Evaluator, values: Any) -> bool:
    return all(evaluator.truth(each) for each in evaluator.iterate(values))


def _abs(evaluator: Evaluator, value: Any) -> Any:
    return as_value(value).changed(evaluator, ABSOLUTE)


def _round(_evaluator: Evaluator, value: Any, digits: int | None = None) -> Any:
    if digits is not None and abs(digits) > _MOST_DIGITS:
        raise OverflowError(f"cannot round to {digits} digits")
    return round(value) if digits is None else round(value, digits)


def _pow(evaluator: Evaluator, base: Any, exponent: Any, modulus: Any = None) -> Any:
    if modulus is not None:
        if max(each.bit_length() for each in (base, exponent, modulus)) > _MOST_BITS:
            raise OverflowError("the numbers of pow() are too large")
        return pow(base, exponent, modulus)
    return evaluator.binary("pow operator", base, exponent)


def _next(_evaluator: Evaluator, values: Any, *default: Any) -> Any:
    if not isinstance(values, Iterator):
        raise TypeError(f"'{type_name(values)}' object is not an iterator")
    found = next(values, MISSING)
    if found is not MISSING:
        return found
    if default:
        return default[0]
    raise ConstructionError("StopIteration", "")


def _format(evaluator: Evaluator, value: Any, form: str = "") -> str:
    return formatted(evaluator, value, form) if form else evaluator.text(value)


def _vars(_evaluator: Evaluator, value: Any) -> dict[str, Any]:
    if isinstance(value, Instance):
        return value.attributes
    raise TypeError("vars() argument must have __dict__ attribute")


def _print(_evaluator: Evaluator, *_values: Any, **_keywords: Any) -> None:
    """Nothing: the output of a program is what its functions give."""


def _id(evaluator: Evaluator, value: Any) -> int:
    return evaluator.identities.of(value)


def _hash(evaluator: Evaluator, value: Any) -> int:
    return evaluator.identities.hash_of(value)


def _chr(_evaluator: Evaluator, code: int) -> str:
    return chr(code)


def _ord(_evaluator: Evaluator, letter: str) -> int:
    return ord(letter)


def _divmod(_evaluator: Evaluator, left: Any, right: Any) -> tuple[Any, Any]:
    return divmod(left, right)


def _exception(
    evaluator: Evaluator, cls: ClassObject, *arguments: Any, **keywords: Any
) -> ExceptionObject:
    """It has the arguments of the call, until ``BaseException.__init__`` gives it others."""
    made = ExceptionObject(cls, arguments)
    made.initialize(evaluator, list(arguments), keywords)
    return made


def _initialize_exception(_evaluator: Evaluator, value: ExceptionObject, *arguments: Any) -> None:
    value.arguments = arguments


def _exception_classes() -> dict[str, ClassObject]:
    methods = {"__init__": NativeFunction("__init__", _initialize_exception)}
    base = ClassObject(
        "BaseException", "BaseException", (types.OBJECT,), methods, create=_exception
    )
    found = {"BaseException": base}
    for line in _EXCEPTIONS:
        parent, *names = line.split()
        for name in names:
            found[name] = ClassObject(name, name, (found[parent],))
    return found


_EXCEPTIONS = (
    "BaseException Exception",
    "Exception ArithmeticError AssertionError AttributeError BufferError EOFError ImportError",
    "Exception LookupError MemoryError NameError OSError RuntimeError StopIteration TypeError",
    "Exception ValueError Warning SyntaxError",
    "ArithmeticError ZeroDivisionError OverflowError FloatingPointError",
    "LookupError IndexError KeyError",
    "ImportError ModuleNotFoundError",
    "OSError FileNotFoundError PermissionError",
    "RuntimeError NotImplementedError RecursionError",
    "Warning UserWarning DeprecationWarning FutureWarning RuntimeWarning",
)

_FUNCTIONS = {
    "abs": _abs,
    "all": _all,
    "any": _any,
    "callable": lambda _evaluator, value: as_value(value).is_callable,
    "chr": _chr,
    "delattr": _delattr,
    "divmod": _divmod,
    "enumerate": _enumerate,
    "filter": _filter,
    "format": _format,
    "getattr": _getattr,
    "hasattr": _hasattr,
    "hash": _hash,
    "id": _id,
    "isinstance": _isinstance,
    "issubclass": _issubclass,
    "iter": lambda evaluator, values: evaluator.iterate(values),
    "len": lambda evaluator, value: evaluator.length(value),
    "map": _map,
    "max": _extreme(">", "max"),
    "min": _extreme("<", "min"),
    "next": _next,
    "ord": _ord,
    "pow": _pow,
    "print": _print,
    "repr": lambda evaluator, value: evaluator.representation(value),
    "reversed": _reversed,
    "round": _round,
    "setattr": _setattr,
    "sorted": _sorted,
    "sum": _sum,
    "super": _super,
    "vars": _vars,
    "zip": _zip,
}

BUILTINS: dict[str, Any] = {
    **{name: NativeFunction(name, function) for name, function in _FUNCTIONS.items()},
    **_exception_classes(),
    "NotImplemented": NotImplemented,
    "__name__": "__torch__",
    "__debug__": True,
    **{
        each.name: each
        for each in (
            *(types.OBJECT, types.INT, types.FLOAT, types.COMPLEX, types.BOOL, types.STR),
            *(types.LIST, types.TUPLE, types.SET, types.FROZEN_SET, types.DICT, types.RANGE),
            *(types.SLICE, types.TYPE, types.PROPERTY, types.STATIC_METHOD, types.CLASS_METHOD),
        )
    },
}
