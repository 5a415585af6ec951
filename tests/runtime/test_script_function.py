"""Calling compiled functions from Python: how arguments are converted, and what is said of wrong ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tsc
from tests.runtime.argument_cases import REFUSED, TAKEN


def identity(annotation: str) -> Any:
    return tsc.CompilationUnit(f"def f(x: {annotation}):\n    return x\n").f


def each(table: dict[str, list[Any]]) -> list[Any]:
    """Parameters with names that are the same in every run."""
    return [
        pytest.param(annotation, value, id=f"{annotation}-{number}")
        for annotation, values in table.items()
        for number, value in enumerate(values)
    ]


@pytest.mark.parametrize(("annotation", "case"), each(TAKEN))
def test_argument_is_converted(annotation: str, case: tuple[Any, Any]) -> None:
    given, wanted = case
    result = identity(annotation)(given)
    assert result == wanted
    assert type(result) is type(wanted)
    if isinstance(wanted, list) and wanted:
        assert type(result[0]) is type(wanted[0])


@pytest.mark.parametrize(("annotation", "value"), each(REFUSED))
def test_argument_is_refused(annotation: str, value: Any) -> None:
    with pytest.raises(tsc.ScriptError) as caught:
        identity(annotation)(value)
    found = f"but instead found type '{type(value).__name__}'."
    assert found in str(caught.value)
    assert "Declaration: f(" in str(caught.value)
    assert caught.value.kind == "RuntimeError"


@pytest.mark.oracle
def test_pytorch_takes_and_refuses_the_same() -> None:
    torch = pytest.importorskip("torch")
    for annotation, pairs in TAKEN.items():
        function = torch.jit.CompilationUnit(f"def f(x: {annotation}):\n    return x\n").f
        for given, wanted in pairs:
            if isinstance(given, np.uint8):
                continue  # PyTorch knows no unsigned NumPy numbers
            assert function(given) == wanted, (annotation, given)
    for annotation, values in REFUSED.items():
        function = torch.jit.CompilationUnit(f"def f(x: {annotation}):\n    return x\n").f
        for value in values:
            with pytest.raises(RuntimeError):
                function(value)


def test_message_of_a_wrong_type() -> None:
    with pytest.raises(tsc.ScriptError) as caught:
        tsc.CompilationUnit("def f(a: int, b: str = 'x') -> int:\n    return a\n").f(3, b=1.5)
    assert str(caught.value) == (
        "f() Expected a value of type 'str' for argument 'b' but instead found type 'float'.\n"
        "Position: 1\n"
        "Value: 1.5\n"
        'Declaration: f(int a, str b="x") -> int\n'
        "Cast error details: Unable to cast a Python value of type float to str"
    )


def test_message_of_a_tensor_without_annotation() -> None:
    with pytest.raises(tsc.ScriptError) as caught:
        tsc.CompilationUnit("def f(x, y):\n    return x\n").f(tsc.tensor([1.0]), 2)
    assert str(caught.value) == (
        "f() Expected a value of type 'Tensor (inferred)' for argument 'y' "
        "but instead found type 'int'.\n"
        "Inferred 'y' to be of type 'Tensor' because it was not annotated with an explicit type.\n"
        "Position: 1\n"
        "Value: 2\n"
        "Declaration: f(Tensor x, Tensor y) -> Tensor\n"
        "Cast error details: Unable to cast 2 to Tensor"
    )


SOURCE = "def f(a: int, b: int = 2, c: str = 'x'):\n    return a, b, c\n"
DECLARATION = 'f(int a, int b=2, str c="x") -> ((int, int, str))'


@pytest.mark.parametrize(
    ("args", "kwargs", "wanted"),
    [
        ((1,), {}, (1, 2, "x")),
        ((1, 3), {}, (1, 3, "x")),
        ((1,), {"c": "y"}, (1, 2, "y")),
        ((), {"a": 1}, (1, 2, "x")),
        ((), {"c": "z", "a": 5, "b": 6}, (5, 6, "z")),
        ((1, 2, "q"), {}, (1, 2, "q")),
    ],
)
def test_arguments_are_arranged(args: Any, kwargs: Any, wanted: Any) -> None:
    assert tsc.CompilationUnit(SOURCE).f(*args, **kwargs) == wanted


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((), {}, f"f() is missing value for argument 'a'. Declaration: {DECLARATION}"),
        ((), {"b": 1}, f"f() is missing value for argument 'a'. Declaration: {DECLARATION}"),
        (
            (1, 2, "a", 3),
            {},
            f"f() expected at most 3 argument(s) but received 4 argument(s). "
            f"Declaration: {DECLARATION}",
        ),
        ((1,), {"d": 2}, f"Unknown keyword argument 'd' for operator 'f'. Schema: {DECLARATION}"),
        (
            (1,),
            {"a": 2},
            f"Argument 'a' specified both as positional and keyword argument. "
            f"Schema: {DECLARATION}",
        ),
    ],
)
def test_arguments_that_do_not_fit(args: Any, kwargs: Any, message: str) -> None:
    with pytest.raises(tsc.ScriptError) as caught:
        tsc.CompilationUnit(SOURCE).f(*args, **kwargs)
    assert caught.value.message.startswith(message)


def test_containers_are_copied_and_arrays_shared() -> None:
    unit = tsc.CompilationUnit("""
def grow(xs: List[int], d: Dict[str, int]) -> int:
    xs.append(1)
    d["k"] = 2
    return len(xs) + len(d)

def fill(x) -> None:
    x.fill_(7.0)
""")
    xs, d = [5], {"a": 1}
    assert unit.grow(xs, d) == 4
    assert (xs, d) == ([5], {"a": 1})
    array = np.zeros(3, np.float32)
    unit.fill(array)
    assert array.tolist() == [7.0, 7.0, 7.0]


def test_exact_arguments_take_the_short_way() -> None:
    unit = tsc.CompilationUnit("def f(x: float, y: float) -> float:\n    return x + y\n")
    assert unit.f(1.5, 2.0) == 3.5
    assert unit.f(1.5, 2.0) == 3.5
    assert unit.f(1, 2.0) == 3.0
    with pytest.raises(tsc.ScriptError):
        unit.f("1", 2.0)


def test_what_a_function_says_of_itself() -> None:
    function = tsc.CompilationUnit("def f(x, n: int):\n    return x + n\n").f
    assert function.name == "f"
    assert str(function.schema) == "f(Tensor x, int n) -> Tensor"
    assert "aten::add" in str(function.graph)
    assert "aten::add" in str(function.graph_for(tsc.tensor([1.0]), 2))
    assert function.code.startswith("def f(x: Tensor,\n    n: int) -> Tensor:\n")
    assert "OP 0 0" in function.bytecode


def test_inlined_graph_has_no_calls() -> None:
    source = """
def g(x: int) -> int:
    return x * 2

def f(x: int) -> int:
    return g(x) + g(x + 1)
"""
    function = tsc.CompilationUnit(source).f
    assert "prim::CallFunction" in str(function.graph)
    assert "prim::CallFunction" not in str(function.inlined_graph)
    assert "prim::CallFunction" in str(function.graph)
    assert function(3) == 14


def test_default_that_is_a_tensor_is_made_once() -> None:
    unit = tsc.CompilationUnit(
        "def scaled(x: Tensor, by: Tensor = torch.full((2,), 3)):\n"
        "    return x * by\n"
        "def f(x: Tensor):\n"
        "    return scaled(x), scaled(x, x)\n"
        "def same(x: Tensor = torch.ones(1)):\n"
        "    return x\n"
    )
    x = np.array([1, 2])
    assert str(unit.scaled(x)) == str(unit.f(x)[0])
    assert [each.tolist() for each in unit.f(x)] == [[3, 6], [1, 4]]
    assert unit.same() is unit.same()
    assert "value= 3  3 [ CPULongType{2} ]" in str(unit.f.graph)
    assert "CONSTANTS.c0" in unit.f.code


def test_a_number_stands_for_all_elements_of_a_list_of_fixed_length() -> None:
    unit = tsc.CompilationUnit(
        "from torch._jit_internal import BroadcastingList2\n"
        "def f(size: BroadcastingList2[int] = 3) -> List[int]:\n    return size\n"
    )
    assert unit.f() == [3, 3]
    assert unit.f(4) == [4, 4]
    assert unit.f([1, 2]) == [1, 2]


@pytest.mark.parametrize(
    ("given", "expected"),
    [([("a", 1)], 1), ((("a", 2), ("b", 3)), 2), ([], 0), (iter([("a", 1)]), 1)],
)
def test_pairs_are_taken_for_a_dictionary(given: Any, expected: int) -> None:
    unit = tsc.CompilationUnit("def f(d: Dict[str, float]) -> int:\n    return len(d)\n")
    assert unit.f(given) == expected


@pytest.mark.parametrize("given", [5, [1], ["ab"], [("a", "b")], {"ab"}, None, [("a", 1, 2)]])
def test_what_makes_no_dictionary_is_refused(given: Any) -> None:
    unit = tsc.CompilationUnit("def f(d: Dict[str, float]) -> int:\n    return len(d)\n")
    with pytest.raises(tsc.ScriptError, match="Dict"):
        unit.f(given)
