"""Ranges, zipped iterables and tuples: lengths and items."""

import pytest

from tests.emit.stand_in import RANGE, StandIn
from tsc.compiler.emit.sugared_values import (
    IterableTree,
    RangeValue,
    SimpleValue,
    TupleValue,
)
from tsc.compiler.ir import Value, constant_value
from tsc.compiler.source import CompileError
from tsc.compiler.types import INT, STRING, ListType


def values(emitter: StandIn, *numbers: object) -> list[Value]:
    return [argument.value for argument in emitter.arguments(*numbers)]


def test_a_range_with_an_end_alone_needs_no_arithmetic() -> None:
    emitter = StandIn()
    end = emitter.input("n", INT)
    numbers = RangeValue(RANGE, emitter, [end])
    index = emitter.input("i", INT)
    assert numbers.length(RANGE, emitter) is end
    assert numbers.get_item(RANGE, emitter, index).as_value(RANGE, emitter) is index
    assert emitter.kinds() == []


def test_other_ranges_compute_lengths_and_items() -> None:
    emitter = StandIn()
    numbers = RangeValue(RANGE, emitter, values(emitter, 10, 0, -2))
    length = numbers.length(RANGE, emitter)
    item = numbers.get_item(RANGE, emitter, length).as_value(RANGE, emitter)
    assert emitter.kinds() == ["aten::__range_length", "aten::__derive_index"]
    assert [constant_value(each) for each in item.node.inputs[1:]] == [10, -2]


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ((), "range expected at least 1 arguments, got 0"),
        ((1, 2, 3, 4), "range expected at most 3 arguments, got 4"),
        ((1, "a"), "all inputs of range must be ints, found str in argument 1"),
    ],
)
def test_wrong_ranges(numbers: tuple[object, ...], message: str) -> None:
    emitter = StandIn()
    with pytest.raises(CompileError) as caught:
        RangeValue(RANGE, emitter, values(emitter, *numbers))
    assert caught.value.message == message


def test_zipped_iterables_last_as_long_as_the_shortest() -> None:
    emitter = StandIn()
    words = SimpleValue(emitter.input("words", ListType(STRING)))
    numbers = RangeValue(RANGE, emitter, [emitter.input("n", INT)])
    tree = IterableTree(RANGE, emitter, [numbers, IterableTree(RANGE, emitter, [words])])
    tree.length(RANGE, emitter)
    assert emitter.kinds() == ["aten::len", "prim::ListConstruct", "prim::min"]
    item = tree.get_item(RANGE, emitter, emitter.input("i", INT))
    assert isinstance(item, TupleValue)
    assert len(item.elements) == 2


def test_a_tuple_among_iterables_fixes_the_length_of_all() -> None:
    emitter = StandIn()
    tuples = [
        TupleValue([SimpleValue(each) for each in values(emitter, *range(n))]) for n in (3, 2)
    ]
    assert IterableTree(RANGE, emitter, tuples).static_length() == 2
    words = SimpleValue(emitter.input("words", ListType(STRING)))
    with pytest.raises(CompileError, match="does not have a statically determinable length"):
        IterableTree(RANGE, emitter, [tuples[0], words])
    with pytest.raises(CompileError, match="does not have a statically determinable length"):
        IterableTree(RANGE, emitter, [words, tuples[0]])


def test_elements_of_a_tuple_are_taken_by_constant_positions() -> None:
    emitter = StandIn()
    elements = TupleValue([SimpleValue(each) for each in values(emitter, 5, 6, 7)])
    last = elements.get_item(RANGE, emitter, emitter.argument(-1).value)
    assert constant_value(last.as_value(RANGE, emitter)) == 7
    with pytest.raises(CompileError, match="Index 3 out of range of length 3"):
        elements.get_item(RANGE, emitter, emitter.argument(3).value)
    with pytest.raises(CompileError, match="Expected integer literal for index"):
        elements.get_item(RANGE, emitter, emitter.input("i", INT))
