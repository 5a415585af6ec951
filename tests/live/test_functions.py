"""Live functions: their source is found, and their names mean what they are bound to."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

import tsc
from tests.live import program_names

OFFSET = 3
EPSILON = 1e-3
SIZES = [2, 3]
DTYPE = tsc.float64


def thrice(x: int, times: int = OFFSET) -> int:
    return x * times


def test_function_runs_and_keeps_its_name() -> None:
    scripted = tsc.script(thrice)
    assert scripted(5) == 15
    assert scripted(5, times=2) == 10
    assert (scripted.name, str(scripted.schema)) == ("thrice", "thrice(int x, int times=3) -> int")


def test_scripting_twice_gives_the_same_function() -> None:
    assert tsc.script(thrice) is tsc.script(thrice)
    assert tsc.script(tsc.script(thrice)) is tsc.script(thrice)


def test_graph_names_the_place_in_the_users_file() -> None:
    line = inspect.getsourcelines(thrice)[1] + 1
    assert f"aten::mul(%x.1, %times.1) # {__file__}:{line}:11" in str(tsc.script(thrice).graph)


def test_function_in_a_function_uses_closure_and_its_own_columns() -> None:
    factor = 4

    def scaled(x: int) -> int:
        return x * factor

    scripted = tsc.script(scaled)
    line = inspect.getsourcelines(scaled)[1] + 1
    assert scripted(3) == 12
    assert f"# {__file__}:{line}:15" in str(scripted.graph)


def test_two_closures_of_one_text_are_two_functions() -> None:
    def make(factor: int):
        def scaled(x: int) -> int:
            return x * factor

        return tsc.script(scaled)

    assert (make(2)(10), make(3)(10)) == (20, 30)


def test_called_functions_are_compiled_with_it() -> None:
    def twice_and_more(x: int) -> int:
        return thrice(x, 2) + thrice(1)

    scripted = tsc.script(twice_and_more)
    assert scripted(4) == 11
    assert 'prim::Constant[name="thrice"]' in str(scripted.graph)


def test_scripted_functions_are_called_as_well() -> None:
    inner = tsc.script(thrice)

    @tsc.script
    def through(x: int) -> int:
        return inner(x)

    assert through(2) == 6


def test_annotated_function_may_call_itself() -> None:
    def factorial(n: int) -> int:
        return 1 if n < 2 else n * factorial(n - 1)

    assert tsc.script(factorial)(6) == 720


def test_constants_of_modules_and_globals() -> None:
    def area(radius: float) -> float:
        return math.pi * radius**2 + EPSILON + program_names.LIMIT + program_names.RATES[1]

    assert tsc.script(area)(2.0) == pytest.approx(math.pi * 4 + EPSILON + 9)


def test_functions_of_modules_by_any_name() -> None:
    def length(x: float, y: float) -> float:
        return sqrt(x * x + y * y) + float(program_names.doubled(1))

    assert tsc.script(length)(3.0, 4.0) == 7.0


def test_torch_is_known_without_being_there() -> None:
    def activated(x: tsc.Tensor) -> tsc.Tensor:
        return torch.relu(x).to(DTYPE) + F.softmax(x, dim=0)  # noqa: F821

    result = tsc.script(activated)(tsc.tensor([1.0, -1.0]))
    assert str(result.dtype) == "torch.float64"
    assert result.detach().numpy() == pytest.approx([1.880797, 0.1192029])


def test_facade_stands_for_torch_and_its_jit() -> None:
    def collected(x: tsc.Tensor) -> list[tsc.Tensor]:
        found = tsc.annotate(list[tsc.Tensor], [])
        future = tsc.fork(thrice, 2)
        found.append(tsc.sigmoid(x) * tsc.wait(future))
        return found

    (result,) = tsc.script(collected)(tsc.tensor([0.0]))
    assert result.tolist() == [3.0]


def test_lists_of_the_module_are_constants_made_anew() -> None:
    def changed() -> list[int]:
        sizes = SIZES
        sizes.append(4)
        return sizes

    scripted = tsc.script(changed)
    assert (scripted(), scripted(), SIZES) == ([2, 3, 4], [2, 3, 4], [2, 3])


def test_defaults_are_those_that_python_evaluated() -> None:
    limit = 5

    def clamped(x: int, top: int = limit + 1, scale: float = math.e, name: str | None = None):
        return min(x, top), scale, name

    limit = 0
    assert tsc.script(clamped)(9) == (6, math.e, None)


def test_string_annotations_and_aliases() -> None:
    assert tsc.script(summed)({"a": [1, 2]}, (3, 4.0)) == 10.0


Table = dict[str, list[int]]


def summed(table: Table, pair: tuple[int, float]) -> float:
    return float(sum(table["a"]) + pair[0]) + pair[1]


def test_type_comments() -> None:
    def joined(names, times=2):
        # type: (List[str], int) -> str
        return ",".join(names) + str(times)

    assert tsc.script(joined)(["a", "b"]) == "a,b2"


def test_lambda() -> None:
    scripted = tsc.script(lambda x, y: x * y + 1)
    assert scripted(tsc.tensor([2.0]), tsc.tensor([3.0])).tolist() == [7.0]


def test_one_of_two_lambdas_on_a_line() -> None:
    pair = (lambda x: x + 1, lambda x: x - 1)
    one = tsc.tensor([1.0])
    assert [tsc.script(each)(one).tolist() for each in pair] == [[2.0], [0.0]]


def test_function_that_takes_a_function() -> None:
    def applied(f: Callable[[int], int], x: int) -> int:
        return f(x)

    def called(x: int) -> int:
        return applied(thrice, x)

    assert tsc.script(called)(3) == 9


def test_function_in_a_wrapper_that_names_it_is_compiled() -> None:
    @tsc.no_grad()
    def wrapped(x: int) -> int:
        return thrice(x)

    assert tsc.script(wrapped)(2) == 6


def test_unused_function_raises_when_it_is_reached() -> None:
    @tsc.unused
    def not_compiled(x: tsc.Tensor) -> tsc.Tensor:
        return eval("x")

    @tsc.script
    def chosen(x: tsc.Tensor, risky: bool) -> tsc.Tensor:
        return not_compiled(x) if risky else x

    assert chosen(tsc.tensor([1.0]), False).tolist() == [1.0]
    with pytest.raises(tsc.ScriptError):
        chosen(tsc.tensor([1.0]), True)


def test_ignored_function_is_called_in_python() -> None:
    seen: list[object] = []

    @tsc.ignore
    def noted(x: tsc.Tensor, names: list[str]) -> int:
        seen.append((x.tolist(), names))
        return len({*names})

    @tsc.script
    def used(x: tsc.Tensor) -> int:
        noted(x, [])
        return noted(x + 1, ["a", "b", "a"]) * 10

    assert used(tsc.tensor([1.0])) == 20
    assert seen == [([1.0], []), ([2.0], ["a", "b", "a"])]


def test_errors_of_an_ignored_function_are_errors_of_the_program() -> None:
    @tsc.ignore
    def wrong(x: int) -> int:
        return "text" if x else {}["missing"]

    @tsc.script
    def used(x: int) -> int:
        return wrong(x)

    with pytest.raises(tsc.ScriptError, match="'wrong' returned: Unable to cast"):
        used(1)
    with pytest.raises(tsc.ScriptError, match="missing"):
        used(0)


def test_arrays_are_taken_as_tensors() -> None:
    @tsc.script
    def filled(x: tsc.Tensor) -> tsc.Tensor:
        return x.add_(1)

    array = np.zeros(2)
    filled(array)
    assert array.tolist() == [1.0, 1.0]


def test_markers_leave_functions_as_they_are_in_python() -> None:
    assert tsc.annotate(list[int], [1]) == [1]
    assert tsc.wait(tsc.fork(thrice, 2)) == 6
    assert tsc.isinstance([1], list[int])
    assert not tsc.isinstance([1], list[str])
    assert not tsc.is_scripting()


# -- Errors --------------------------------------------------------------------------------------


def refused(function) -> str:
    with pytest.raises(tsc.Error) as caught:
        tsc.script(function)
    return str(caught.value)


def test_error_points_into_the_users_file() -> None:
    def wrong(x: tsc.Tensor) -> tsc.Tensor:
        return x.no_such_method()

    line = inspect.getsourcelines(wrong)[1] + 1
    text = refused(wrong)
    assert f"{Path(__file__)}:{line}:15" in text
    assert "        return x.no_such_method()\n               ~~~~~~~~~~~~~~~~ <--- HERE" in text


def test_error_in_a_called_function_points_there() -> None:
    def inner(x: int) -> int:
        return x + "a"

    def outer(x: int) -> int:
        return inner(x)

    assert 'return x + "a"' in refused(outer)


def test_unknown_name_suggests_a_similar_one() -> None:
    def wrong(x: int) -> int:
        return thrcie(x)  # noqa: F821

    assert "did you mean 'thrice'?" in refused(wrong)


def test_numpy_is_refused_with_a_way_out() -> None:
    def wrong(x: tsc.Tensor):
        return np.exp(x)

    assert "torch has an operator of that name: torch.exp" in refused(wrong)


def test_object_of_python_is_no_value() -> None:
    thing = object()

    def wrong() -> int:
        return thing

    assert "python value 'thing' of type 'object' cannot be used as a value" in refused(wrong)


def test_coroutine_is_refused_as_such() -> None:
    async def wrong(x: int) -> int:
        return x

    text = refused(wrong)
    assert "async" in text
    assert __file__ in text


def test_function_without_source_says_what_to_do() -> None:
    assert tsc.CompilationUnit("def other(x: int) -> int:\n    return x + 1\n").other(1) == 2
    space: dict = {}
    exec("def made(x: int) -> int:\n    return x\n", space)
    made = space["made"]
    assert "tsc.CompilationUnit(source)" in refused(made)

    def wrong(x: int) -> int:
        return made(x)

    assert "the source text of 'made' cannot be found" in refused(wrong)


@pytest.mark.parametrize("value", [3, len, "text", [].append])
def test_what_is_no_function_is_refused(value: object) -> None:
    assert "cannot be scripted" in refused(value)


def test_function_compiles_after_its_mistake_was_mended() -> None:
    space = {"missing": None}

    def uses(x: int) -> int:
        return later(x)  # noqa: F821

    assert "later" in refused(uses)
    globals()["later"] = thrice
    try:
        assert tsc.script(uses)(2) == 6
    finally:
        del globals()["later"]
    assert space
