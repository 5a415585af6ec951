"""Live classes: script classes, enums, named tuples, data classes, interfaces."""

import enum
from dataclasses import dataclass
from typing import NamedTuple

import pytest

import tsc


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Point(NamedTuple):
    x: int
    y: float = 1.5
    color: Color = Color.GREEN


class Counter:
    """Counts."""

    STEP = 2

    def __init__(self, start: int, names: list[str] | None = None):
        self.value = start
        self.names = names

    def count(self, times: int = 1) -> "Counter":
        self.value += times * self.step
        return self

    @property
    def step(self) -> int:
        return Counter.STEP

    @staticmethod
    def zero() -> int:
        return 0

    def __add__(self, other: "Counter") -> int:
        return self.value + other.value


class Louder(Counter):
    def count(self, times: int = 1) -> "Louder":
        self.value += 100 * times
        return self


@dataclass
class Box:
    width: int
    height: int = 2

    def area(self) -> int:
        return self.width * self.height


def test_enum_members_are_constants_and_arguments() -> None:
    @tsc.script
    def other(color: Color) -> Color:
        return Color.GREEN if color == Color.RED else Color.RED

    assert other(Color.RED).name == "GREEN"
    assert "Enum<__torch__.tests.live.test_classes.Color>" in str(other.graph)


def test_named_tuple_with_defaults() -> None:
    @tsc.script
    def moved(p: Point) -> Point:
        return Point(p.x + 1, color=p.color)

    result = moved(Point(3, 4.0, Color.RED))
    assert (result.x, result.y, result.color.name) == (4, 1.5, "RED")


def test_class_is_compiled_where_it_is_used() -> None:
    @tsc.script
    def counted(times: int) -> int:
        counter = Counter(1).count(times)
        return counter + Counter(Counter.zero()) + counter.step

    assert counted(3) == 9


def test_scripted_class_stays_a_class() -> None:
    assert tsc.script(Counter) is Counter
    assert Counter(2).count().value == 4


def test_objects_of_python_are_passed_as_copies() -> None:
    @tsc.script
    def value_of(counter: Counter, more: dict[str, Counter]) -> int:
        counter.value += 1
        return counter.value + more["a"].value

    counter = Counter(5, ["a"])
    assert value_of(counter, {"a": Counter(1)}) == 7
    assert counter.value == 5


def test_object_of_a_program_has_attributes_and_methods() -> None:
    @tsc.script
    def made(start: int) -> Counter:
        return Counter(start, ["n"])

    counter = made(3)
    counter.value = 10
    assert counter.count(2).value == 14
    assert (counter.names, counter.step) == (["n"], 2)


def test_inherited_methods() -> None:
    @tsc.script
    def loud() -> int:
        louder = Louder(1)
        louder.count()
        return louder.value + louder.step

    assert loud() == 103


def test_data_class() -> None:
    @tsc.script
    def area(width: int) -> bool:
        return Box(width).area() == 6 and Box(width) == Box(3, 2)

    assert area(3)
    assert not area(4)


def test_class_in_a_function_knows_itself_and_its_surroundings() -> None:
    factor = 5

    @tsc.script
    class Node:
        def __init__(self, value: int):
            self.value = value

        def scaled(self) -> "Node":
            return Node(self.value * factor)

    @tsc.script
    def through(value: int) -> int:
        return Node(value).scaled().value

    assert through(2) == 10


def test_interface() -> None:
    @tsc.interface
    class HasArea:
        def area(self) -> int:
            pass

    @tsc.script
    def doubled(shape: HasArea) -> int:
        return shape.area() * 2

    tsc.script(Box)
    assert doubled(Box(3, 4)) == 24
    with pytest.raises(tsc.ScriptError):
        doubled(Counter(1))


def test_exception_of_the_user() -> None:
    class TooLarge(ValueError):
        pass

    @tsc.script
    def checked(x: int) -> int:
        if x > 3:
            raise TooLarge(f"{x} is too large")
        return x

    assert checked(2) == 2
    with pytest.raises(tsc.ScriptError, match="4 is too large") as caught:
        checked(4)
    assert caught.value.kind == "TooLarge"


def test_classes_that_share_a_name_are_told_apart() -> None:
    def make(value: int):
        class Holder:
            def __init__(self):
                self.value = value

        def held() -> int:
            return Holder().value

        return tsc.script(held)

    first, second = make(1), make(2)
    assert (first(), second()) == (1, 2)


def test_class_that_cannot_be_compiled_says_where() -> None:
    class Wrong:
        def __init__(self):
            self.value = {1, 2}

    with pytest.raises(tsc.CompileError) as caught:
        tsc.script(Wrong)
    assert "self.value = {1, 2}" in str(caught.value)
    assert __file__ in str(caught.value)
