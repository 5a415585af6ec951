"""What a trace fixes for good is warned of, at the line that does it; and what cannot be traced is refused."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import tsc

X = tsc.tensor([[1.0, 2.0], [3.0, 4.0]])


def warned(function: Callable[..., Any], *inputs: Any, **options: Any) -> list[str]:
    """The beginnings of the warnings of a trace; each must point into this file."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        tsc.trace(function, inputs or X, **options)
    assert all(each.category is tsc.TracerWarning for each in found)
    assert {each.filename for each in found} <= {__file__}
    return [str(each.message).partition(" might cause")[0] for each in found]


LEAVING = {
    "boolean": (lambda x: x + 1 if x.sum() > 0 else x, "Converting a tensor to a Python boolean"),
    "integer": (lambda x: x * int(x[0, 0]), "Converting a tensor to a Python integer"),
    "float": (lambda x: x * float(x[0, 0]), "Converting a tensor to a Python float"),
    "item": (lambda x: x * x.sum().item(), "Converting a tensor to a Python number"),
    "list": (lambda x: x * x.tolist()[0][0], "Converting a tensor to a Python list"),
    "array": (lambda x: x + x.numpy(), "Converting a tensor to a NumPy array"),
    "index": (lambda x: x * [1, 2, 3, 4][x[0, 0].long()], "Converting a tensor to a Python index"),
    "length": (lambda x: x * len(x), "Using len to get tensor shape"),
    "loop": (lambda x: sum(row for row in x), "Iterating over a tensor"),
}


@pytest.mark.parametrize("kind", LEAVING)
def test_tensor_that_becomes_a_value_of_python_is_warned_of(kind: str) -> None:
    function, text = LEAVING[kind]
    assert warned(function, check_trace=False) == [text]


def test_checking_does_not_warn_again() -> None:
    assert len(warned(lambda x: x * int(x[0, 0]))) == 1


def test_constructors_of_constants_are_warned_of() -> None:
    found = warned(lambda x: x + tsc.tensor([1.0, 2.0]), check_trace=False)
    assert [each.partition(" results")[0] for each in found] == ["torch.tensor"]
    array = np.ones(2, np.float32)
    found = warned(lambda x: x + tsc.from_numpy(array), check_trace=False)
    assert [each.partition(" results")[0] for each in found] == ["torch.from_numpy"]


def test_list_as_a_result_is_warned_of_unless_it_is_asked_for() -> None:
    expected = ["Encountering a list at the output of the tracer"]
    assert warned(lambda x: [x + 1], check_trace=False) == expected
    assert warned(lambda x: [x + 1], strict=False) == []


def test_nothing_is_warned_of_in_a_good_trace() -> None:
    assert warned(lambda x: (x.view(x.shape[0] * 2, -1) @ x[:1], x.dim() * x)) == []


def test_result_that_changes_from_run_to_run_is_warned_of() -> None:
    counted: list[int] = []

    def count(x):
        counted.append(1)
        return x * len(counted)

    with pytest.raises(tsc.TracingCheckError, match="Tensor-valued Constant nodes differed"):
        warned(count)


def test_random_results_are_warned_of() -> None:
    found = warned(lambda x: tsc.dropout(x, 0.5, True))
    assert found[0].startswith("Trace had nondeterministic nodes. Did you forget call .eval()")
    assert found[1].startswith("Output nr 1. of the traced function does not match")


def test_other_control_flow_in_the_second_run_is_an_error() -> None:
    flags = [True, False, False, False]
    with (
        pytest.warns(tsc.TracerWarning, match="does not match the corresponding output"),
        pytest.raises(tsc.TracingCheckError, match="Graphs differed across invocations"),
    ):
        tsc.trace(lambda x: x + 1 if flags.pop(0) else x * 2, X)


def test_check_inputs_are_what_is_checked() -> None:
    def branching(x):
        return x + 1 if bool(x.sum() > 0) else x * 2

    with pytest.warns(tsc.TracerWarning, match="Python boolean"):
        tsc.trace(branching, X, check_inputs=[(X * 2,)])
    with (
        pytest.warns(tsc.TracerWarning),
        pytest.raises(tsc.TracingCheckError, match="Graphs differed"),
    ):
        tsc.trace(branching, X, check_inputs=[(X * -1,)])


def test_check_inputs_of_a_module_are_there_for_each_method() -> None:
    class Two:
        training = False

        def __init__(self) -> None:
            self._parameters: dict[str, tsc.Tensor] = {}
            self._modules: dict[str, Two] = {}

        def named_parameters(self):
            return iter(())

        def __call__(self, x):
            return self.forward(x)

        def forward(self, x):
            return x + 1

        def twice(self, x):
            return x * 2

    module, inputs = Two(), {"forward": X, "twice": X}
    tsc.trace_module(module, inputs, check_inputs=[inputs])
    with pytest.raises(tsc.Error, match="none for the method 'twice'"):
        tsc.trace_module(module, inputs, check_inputs=[{"forward": X}])


# -- What is refused -------------------------------------------------------------------------------


class Point(NamedTuple):
    x: Any
    y: Any


GRADIENT = tsc.tensor([1.0], requires_grad=True)
REFUSED: dict[str, tuple[Callable[..., Any], tuple[Any, ...], str]] = {
    "a number": (lambda x, n: x * n, (X, 3), r"Type 'Tuple\[Tensor, int\]' cannot be traced"),
    "None": (lambda x, n: x, (X, None), r"Type 'Tuple\[Tensor, NoneType\]' cannot be traced"),
    "an empty list": (lambda x, n: x, (X, []), "an empty container does not tell its type"),
    "mixed": (lambda x: x, ([X, [X]],), "the elements of a list must have one type"),
    "no result": (lambda x: None, (X,), "The traced function didn't return any values!"),
    "int result": (lambda x: 3, (X,), "Only tensors, lists, tuples of tensors"),
    "None in a result": (lambda x: (x + 1, None), (X,), "Only tensors, lists, tuples of tensors"),
    "dict result": (lambda x: {"a": x + 1}, (X,), "Encountering a dict at the output"),
    "foreign result": (
        lambda x: X,
        (X + 0,),
        "did not have observable data dependence",
    ),
    "gradient": (lambda x: x * GRADIENT, (X,), "Cannot insert a Tensor that requires grad"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_traced_is_refused(kind: str) -> None:
    function, inputs, message = REFUSED[kind]
    with pytest.raises(tsc.Error, match=message):
        tsc.trace(function, inputs)


def test_dict_of_numbers_as_a_result_is_refused() -> None:
    with pytest.raises(tsc.Error, match=r"Only tensors|only dict"):
        tsc.trace(lambda x: {"a": 1}, X, strict=False)


def test_traces_are_not_nested() -> None:
    with pytest.raises(tsc.Error, match="Tracing can't be nested"):
        tsc.trace(lambda x: tsc.trace(lambda y: y + 1, x)(x), X)


def test_missing_and_strange_examples_are_refused() -> None:
    with pytest.raises(tsc.Error, match="example inputs are missing"):
        tsc.trace(lambda x: x)
    with pytest.raises(tsc.Error, match="must be a tensor or a tuple"):
        tsc.trace(lambda x: x, 3)
    with pytest.raises(tsc.Error, match="example_kwarg_inputs should be a dict"):
        tsc.trace(lambda x: x, example_kwarg_inputs=[X])
    with pytest.raises(tsc.Error, match="a value of type 'int' cannot be traced"):
        tsc.trace(3, X)
    with pytest.raises(tsc.Error, match="expected a module as the first argument"):
        tsc.trace_module(lambda x: x, {"forward": X})


def test_errors_of_the_function_come_through_and_end_the_trace() -> None:
    with pytest.raises(ZeroDivisionError):
        tsc.trace(lambda x: x + 1 / 0, X)
    with pytest.raises(tsc.ScriptError, match="index 7"):
        tsc.trace(lambda x: x[7] if x.dim() else x, X)
    assert not tsc.is_tracing()
    assert X.shape == (2, 2)


def test_scripted_module_is_given_back() -> None:
    module = tsc.load("tests/oracle/archives/recorded/containers.pt")
    with pytest.warns(UserWarning, match="already a ScriptModule"):
        assert tsc.trace(module, X) is module


def test_module_that_is_not_part_of_what_is_traced_is_refused() -> None:
    module = tsc.load("tests/oracle/archives/recorded/traced_sequential.pt")
    with pytest.raises(tsc.Error, match="it is not part of the active trace"):
        tsc.trace(lambda x: module(x), tsc.zeros(1, 4))


def test_named_tuples_stay_what_they_are_for_the_function() -> None:
    traced = tsc.trace(lambda p: p.x + p.y, (Point(X, X * 2),))
    assert traced((X, X)).tolist() == [[2, 4], [6, 8]]
