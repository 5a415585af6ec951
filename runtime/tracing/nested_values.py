"""What goes into a trace and comes out of it: tensors, and containers of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tsc.compiler.ir import Value, prim
from tsc.compiler.types import STRING, TENSOR, DictType, ListType, TupleType, Type
from tsc.compiler.types.unshaped import unshaped
from tsc.runtime.tracing.errors import CONTAINER, TracingError, warn
from tsc.runtime.tracing.recorder import Recorder
from tsc.runtime.values.tuple_classes import tuple_like

_OUTPUTS: Final = (
    "Only tensors, lists, tuples of tensors and dicts of tensors can come out of a trace"
)


class Untraceable(Exception):
    """A value that cannot go into a trace; the text names its type."""


# -- Inputs --------------------------------------------------------------------------------------


def add_inputs(recorder: Recorder, examples: Sequence[Any], names: Sequence[str]) -> list[Any]:
    """Make the example inputs the inputs of the graph; returns them as the function gets them.

    Raises `TracingError` for what is no tensor and holds none.
    """
    try:
        types = [_type_of(recorder, each) for each in examples]
    except Untraceable as error:
        raise TracingError(
            f"Type '{_tuple_text(recorder, examples)}' cannot be traced. Only Tensors and (possibly nested) "
            f"Lists, Dicts, and Tuples of Tensors can be traced\nhint: {error}; give numbers and the like "
            "to the function by a closure, such as lambda x: f(x, 3)"
        ) from None
    known = list(names) if len(names) >= len(examples) else [None] * len(examples)
    values = [
        recorder.graph.add_input(name, type) for name, type in zip(known, types, strict=False)
    ]
    return [_received(recorder, each, value) for each, value in zip(examples, values)]


def _type_of(recorder: Recorder, example: Any) -> Type:
    if recorder.library.is_tensor(example):
        return recorder.library.describe(example)
    if isinstance(example, tuple):
        return TupleType(tuple(_type_of(recorder, each) for each in example))
    if isinstance(example, list) and example:
        return ListType(_common([_type_of(recorder, each) for each in example], "list"))
    if isinstance(example, dict) and example:
        if not all(isinstance(key, str) for key in example):
            raise Untraceable("the keys of a dictionary must be strings")
        items = [_type_of(recorder, each) for each in example.values()]
        return DictType(STRING, _common(items, "dictionary"))
    if isinstance(example, list | dict):
        raise Untraceable("an empty container does not tell its type")
    raise Untraceable(f"there is a value of type '{type(example).__name__}'")


def _common(types: list[Type], container: str) -> Type:
    plain = list(dict.fromkeys(map(unshaped, types)))
    if len(plain) > 1:
        raise Untraceable(f"the elements of a {container} must have one type")
    return plain[0]


def _tuple_text(recorder: Recorder, examples: Sequence[Any]) -> str:
    return f"Tuple[{', '.join(_text(recorder, each) for each in examples)}]"


def _text(recorder: Recorder, example: Any) -> str:
    """The type of an example as messages name it, also if it cannot be traced."""
    if recorder.library.is_tensor(example):
        return "Tensor"
    if isinstance(example, tuple):
        return _tuple_text(recorder, example)
    try:
        return unshaped(_type_of(recorder, example)).annotation
    except Untraceable:
        return "NoneType" if example is None else type(example).__name__


def _received(recorder: Recorder, example: Any, value: Value) -> Any:
    if recorder.library.is_tensor(example):
        if recorder.knows(example):
            example = recorder.library.alias(example)
        recorder.remember(example, value)
        return example
    if isinstance(example, tuple):
        node = recorder.insert(prim.TupleUnpack, [value], len(example))
        assert isinstance(value.type, TupleType)
        types = value.type.elements
        items = [
            _received_part(recorder, each, part, type)
            for each, part, type in zip(example, node.outputs, types)
        ]
        return tuple_like(example, items)
    if isinstance(example, list):
        return _received_list(recorder, example, value)
    assert isinstance(value.type, DictType)
    return {key: _received_item(recorder, key, each, value) for key, each in example.items()}


def _received_list(recorder: Recorder, example: list[Any], value: Value) -> list[Any]:
    node = recorder.insert(prim.ListUnpack, [value], len(example))
    assert isinstance(value.type, ListType)
    element = value.type.element
    return [
        _received_part(recorder, each, output, element)
        for each, output in zip(example, node.outputs)
    ]


def _received_part(recorder: Recorder, example: Any, value: Value, declared: Type) -> Any:
    """A part of a container: of tensors all is known, of other parts what the container tells."""
    is_tensor = recorder.library.is_tensor(example)
    type = recorder.library.describe(example) if is_tensor else declared
    return _received(recorder, example, value.set_type(type))


def _received_item(recorder: Recorder, key: str, item: Any, value: Value) -> Any:
    inputs = [value, recorder.constant(key)]
    node = recorder.insert_operator("aten::__getitem__", "Dict_str", inputs)
    assert isinstance(value.type, DictType)
    return _received_part(recorder, item, node.output, value.type.value)


# -- Outputs -------------------------------------------------------------------------------------


def add_output(recorder: Recorder, result: Any) -> None:
    """Make what the function returned the output of the graph. Raises `TracingError`."""
    if result is None:
        raise TracingError(
            "The traced function didn't return any values! Side-effects are not captured in traces, so "
            "it would be a no-op.\nhint: return the tensors that are wanted"
        )
    recorder.graph.register_output(_output(recorder, result, 0))


def _output(recorder: Recorder, result: Any, number: int) -> Value:
    if recorder.library.is_tensor(result):
        return recorder.known_value(result, number)
    if isinstance(result, tuple):
        return recorder.tuple_of([_output(recorder, each, number) for each in result])
    if isinstance(result, list) and result:
        if recorder.strict:
            warn("Encountering a list at the output of the tracer" + CONTAINER)
        items = [_output(recorder, each, number) for each in result]
        return recorder.list_of(items, ListType(unshaped(items[0].type)))
    if isinstance(result, dict) and result:
        return _output_dict(recorder, result, number)
    kind = type(result).__name__
    raise TracingError(f"{_OUTPUTS}, not a value of type '{kind}'")


def _output_dict(recorder: Recorder, result: dict[Any, Any], number: int) -> Value:
    if recorder.strict:
        raise TracingError("Encountering a dict at the output of the tracer" + CONTAINER)
    is_tensor = recorder.library.is_tensor
    keys_known = all(isinstance(key, str) or is_tensor(key) for key in result)
    if not keys_known or not all(map(is_tensor, result.values())):
        raise TracingError(
            f"output {number} of traced region cannot be understood by the tracer, only dict[str, "
            "Tensor] or dict[Tensor, Tensor] can be a dictionary output of a traced function"
        )
    pairs = [
        value
        for key, item in result.items()
        for value in (recorder.any_value(key), _output(recorder, item, number))
    ]
    key_type = STRING if isinstance(next(iter(result)), str) else TENSOR
    node = recorder.insert(prim.DictConstruct, pairs)
    return node.output.set_type(DictType(key_type, TENSOR))
