"""What programs may use of ``functools``, ``itertools``, ``copy``, ``abc``, ``dataclasses`` …"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tsc.runtime.construction.copying import deep_copy, shallow_copy
from tsc.runtime.construction.dataclass_methods import FIELD, dataclass_decorator, fields_of
from tsc.runtime.construction.iteration import Elements
from tsc.runtime.construction.python_types import OBJECT
from tsc.runtime.construction.values.classes import ClassObject
from tsc.runtime.construction.values.functions import (
    AbstractMethod,
    ClassMethod,
    FunctionObject,
    NativeFunction,
    PartialObject,
    PropertyObject,
    StaticMethod,
)
from tsc.runtime.construction.values.imported import TypeForm
from tsc.runtime.construction.values.instances import InstanceObject
from tsc.runtime.construction.values.protocol import Evaluator


def _partial(
    _evaluator: Evaluator, function: Any, /, *arguments: Any, **keywords: Any
) -> PartialObject:
    if isinstance(function, PartialObject):
        arguments = (*function.arguments, *arguments)
        keywords = {**function.keywords, **keywords}
        function = function.function
    return PartialObject(function, arguments, keywords)


def _reduce(evaluator: Evaluator, function: Any, values: Any, *initial: Any) -> Any:
    given = iter([*initial, *evaluator.iterate(values)])
    result = next(given)
    for each in given:
        result = evaluator.call(function, [result, each])
    return result


def _chain(evaluator: Evaluator, *values: Any) -> Iterator[Any]:
    rows = [evaluator.iterate(each) for each in values]
    return Elements(evaluator, itertools.chain(*rows), *rows)


def _product(evaluator: Evaluator, *values: Any, repeat: int = 1) -> Iterator[Any]:
    evaluator.check_size(repeat)
    return itertools.product(*(evaluator.listed(each) for each in values), repeat=repeat)


def _repeat(_evaluator: Evaluator, value: Any, *times: int) -> Iterator[Any]:
    return itertools.repeat(value, *times)


def _over(function: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    """A function of iterators of one iterable and plain values."""

    def run(evaluator: Evaluator, values: Any, *rest: Any) -> Iterator[Any]:
        elements = evaluator.iterate(values)
        return Elements(evaluator, function(elements, *rest), elements)

    return run


def _accumulate(evaluator: Evaluator, values: Any, function: Any = None) -> Iterator[Any]:
    def combined(left: Any, right: Any) -> Any:
        if function is None:
            return evaluator.binary("+", left, right)
        return evaluator.call(function, [left, right])

    elements = evaluator.iterate(values)
    return Elements(evaluator, itertools.accumulate(elements, combined), elements)


def _combinations(evaluator: Evaluator, values: Any, count: int) -> Iterator[Any]:
    evaluator.check_size(count)
    return itertools.combinations(evaluator.listed(values), count)


def _count(_evaluator: Evaluator, *bounds: Any) -> Iterator[Any]:
    return itertools.count(*bounds)


def _abstract(_evaluator: Evaluator, function: Any) -> Any:
    if not isinstance(function, FunctionObject):
        return function
    return AbstractMethod(
        function.definition,
        function.name,
        function.scope,
        function.closure,
        function.defaults,
        function.owner,
    )


def _same(_evaluator: Evaluator, value: Any) -> Any:
    return value


def _wraps(_evaluator: Evaluator, *_arguments: Any) -> NativeFunction:
    return NativeFunction("wraps", _same)


def _cached(_evaluator: Evaluator, function: Any = None, **_keywords: Any) -> Any:
    """``lru_cache``, with or without arguments: values are made anew, and are the same."""
    is_function = isinstance(function, FunctionObject | StaticMethod | ClassMethod)
    return function if is_function else NativeFunction("cache", _same)


def _number_of_numpy(name: str) -> Callable[..., float]:
    """A function of NumPy's on numbers, whose result is a float to Python, too."""

    def run(_evaluator: Evaluator, *numbers: float) -> float:
        for each in numbers:
            if not isinstance(each, int | float):
                raise TypeError(f"numpy.{name}() of numbers alone can be evaluated")
        with np.errstate(all="ignore"):
            return float(getattr(np, name)(*numbers))

    return run


def _operator(kind: str) -> NativeFunction:
    return NativeFunction(kind, lambda evaluator, left, right: evaluator.binary(kind, left, right))


def _silent(_evaluator: Evaluator, *_arguments: Any, **_keywords: Any) -> None:
    """A message to the user of Python: nobody reads it here."""


_LOGGER = InstanceObject(
    ClassObject(
        "Logger",
        "logging.Logger",
        (OBJECT,),
        {
            name: NativeFunction(name, _silent)
            for name in ("debug", "info", "warning", "error", "critical", "exception")
        },
    )
)

_OF_NUMPY = "sqrt log log2 log10 log1p exp sin cos tan arctan tanh floor ceil float64"
_FUNCTIONS = {
    "logging.getLogger": lambda _evaluator, *_name: _LOGGER,
    **{f"logging.{name}": _silent for name in ("debug", "info", "warning", "error")},
    "functools.partial": _partial,
    "functools.reduce": _reduce,
    "functools.wraps": _wraps,
    "functools.lru_cache": _cached,
    "functools.cache": _cached,
    "itertools.chain": _chain,
    "itertools.product": _product,
    "itertools.repeat": _repeat,
    "itertools.pairwise": _over(itertools.pairwise),
    "itertools.islice": _over(itertools.islice),
    "itertools.accumulate": _accumulate,
    "itertools.combinations": _combinations,
    "itertools.count": _count,
    "copy.deepcopy": lambda _evaluator, value: deep_copy(value),
    "copy.copy": lambda _evaluator, value: shallow_copy(value),
    "abc.abstractmethod": _abstract,
    "warnings.warn": _silent,
    "warnings.filterwarnings": _silent,
    "warnings.simplefilter": _silent,
    "dataclasses.dataclass": dataclass_decorator,
    "dataclasses.fields": fields_of,
    **{f"numpy.{name}": _number_of_numpy(name) for name in _OF_NUMPY.split()},
}

STANDARD_LIBRARY: dict[str, Any] = {
    **{
        path: NativeFunction(path.rpartition(".")[2], function)
        for path, function in _FUNCTIONS.items()
    },
    **{
        f"operator.{name}": _operator(kind)
        for name, kind in (("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"))
    },
    "dataclasses.field": FIELD,
    "functools.cached_property": ClassObject(
        "cached_property",
        "functools.cached_property",
        (OBJECT,),
        create=lambda _evaluator, _cls, getter: PropertyObject(getter),
    ),
    **{f"numpy.{name}": getattr(math, name) for name in ("pi", "e", "inf", "nan")},
    "abc.ABC": ClassObject("ABC", "abc.ABC", (OBJECT,)),
    "abc.ABCMeta": TypeForm("ABCMeta"),
    "numbers.Number": TypeForm("Number"),
    "numbers.Integral": TypeForm("Integral"),
    "numbers.Real": TypeForm("Real"),
}
