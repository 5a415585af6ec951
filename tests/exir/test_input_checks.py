"""Arguments that a program was not exported for are refused with the constraint that they break."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tsc

from .recorded import recorded_path


def x(*size: int) -> Any:
    return tsc.from_numpy(np.ones(size, np.float32))


REFUSED = {
    "above a range": (
        "Perceptron",
        (x(65, 4),),
        "x.size()[0] <= 64, and it is 65 (range constraint s77: VR[1, 64])",
    ),
    "above a range of a buffer's": ("Counter", (x(65, 2),), "x.size()[0] <= 64, and it is 65"),
    "another size": ("Perceptron", (x(3, 5),), "x.size()[1] == 4, and it is 5"),
    "another rank": ("Perceptron", (x(3),), "x.dim() == 2, and it is 1"),
    "two sizes apart": ("TwoShapes", (x(2, 3), x(4, 2)), "y.size()[0] == s"),
    "a multiple": ("DerivedSize", (x(5, 2),), "x.size()[0] == 2*s"),
    "a multiple above its range": ("DerivedSize", (x(18, 2),), "x.size()[0] <= 16"),
    "a sum": ("RelatedSizes", (x(4, 3), x(4, 3)), "y.size()[0] == s"),
    "a constant": ("Constants", (x(2), 4, "hey", 2.5, True, None), "k == 3, and it is 4"),
    "a flag": ("Constants", (x(2), 3, "hey", 2.5, 1, None), "flag == True, and it is 1"),
}


@pytest.mark.parametrize(("name", "arguments", "guard"), REFUSED.values(), ids=REFUSED)
def test_the_constraint_is_named(name: str, arguments: tuple[Any, ...], guard: str) -> None:
    module = tsc.load_exported(recorded_path(name)).module()
    with pytest.raises(tsc.ScriptError) as caught:
        module(*arguments)
    assert caught.value.message.startswith(f"Guard failed: {guard}")


@pytest.mark.parametrize("as_archive", [False, True])
def test_what_is_below_a_range_from_three_is_refused(as_archive: bool) -> None:
    unit = tsc.CompilationUnit("def f(x: Tensor) -> Tensor:\n    return x * 2\n")
    sizes = {"x": {0: tsc.Dim("n", min=3, max=9)}}
    program = tsc.export(unit.f, (x(4),), dynamic_shapes=sizes)
    module = tsc.to_torchscript(program) if as_archive else program.module()
    with pytest.raises(tsc.ScriptError, match=r"x.size\(\)\[0\] >= 3"):
        module(x(2))


@pytest.mark.parametrize("as_archive", [False, True])
def test_no_element_and_one_are_let_through_below_ranges_from_two(as_archive: bool) -> None:
    """As PyTorch does it: `_check_symint` allows both."""
    program = tsc.load_exported(recorded_path("Counter"))
    module = tsc.to_torchscript(program) if as_archive else program.module()
    assert module(x(1, 2)).shape == (1, 2)
    assert module(x(0, 2)).shape == (0, 2)


MISFITS = {
    "too few": ("Perceptron", (), {}, "expected 1 elements at [0], found 0"),
    "too many": ("Perceptron", (x(3, 4), x(2)), {}, "expected 1 elements at [0], found 2"),
    "unknown": ("Perceptron", (x(3, 4),), {"y": x(1)}, "expected the keys () at [1], found ('y',)"),
    "another container": ("list_argument", (x(2),), {}, "expected a list at [0][0], found Tensor"),
    "other keys": ("Ordered", ({"z": x(2)},), {}, "expected the keys"),
}


@pytest.mark.parametrize(("name", "args", "kwargs", "reason"), MISFITS.values(), ids=MISFITS)
def test_arguments_have_to_be_nested_as_before(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any], reason: str
) -> None:
    module = tsc.load_exported(recorded_path(name)).module()
    with pytest.raises(tsc.ScriptError, match="the arguments do not fit") as caught:
        module(*args, **kwargs)
    assert reason in caught.value.message


def test_positional_arguments_may_be_given_by_name() -> None:
    module = tsc.load_exported(recorded_path("Perceptron")).module()
    assert module(x=x(3, 4)).shape == (3, 3)


def test_one_program_runs_at_every_size_of_its_range() -> None:
    module = tsc.load_exported(recorded_path("Perceptron")).module()
    assert [module(x(n, 4)).shape for n in (1, 2, 17, 63, 64)] == [
        (n, 3) for n in (1, 2, 17, 63, 64)
    ]


ASSERTED = {
    "ItemAsSize": (tsc.tensor(11), "Runtime assertion failed for expression u0 <= 10"),
    "Asserts": (x(4) - 9, "positive sum wanted"),
    "dtypes": (x(3).double(), "Tensor dtype mismatch!"),
}


@pytest.mark.parametrize("name", ASSERTED)
def test_assertions_of_the_program_hold(name: str) -> None:
    argument, message = ASSERTED[name]
    with pytest.raises(tsc.ScriptError, match=message):
        tsc.load_exported(recorded_path(name)).module()(argument)
