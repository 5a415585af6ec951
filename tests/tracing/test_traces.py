"""What a trace is good for: calls from and of scripted functions, archives, threads; and what it leaves alone."""

from __future__ import annotations

import functools
import io
import threading

import numpy as np
import pytest

import tsc
from tsc.runtime.context import trace_state

X = tsc.tensor([[1.0, 2.0], [3.0, 4.0]])


@tsc.script
def clipped(x: tsc.Tensor, most: float) -> tsc.Tensor:
    if bool(x.sum() > most):
        return x * 0
    return x


@tsc.script
def halves(x: tsc.Tensor) -> tuple[tsc.Tensor, list[tsc.Tensor]]:
    return x / 2, [x, x + 1]


def test_scripted_function_stays_a_call_with_its_control_flow() -> None:
    traced = tsc.trace(lambda x: clipped(x + 1, 20.0), X)
    assert "prim::CallFunction" in str(traced.graph)
    assert "prim::If" in str(traced.inlined_graph)
    assert traced(X).tolist() == [[2, 3], [4, 5]]
    assert traced(X * 10).tolist() == [[0, 0], [0, 0]]


def test_results_of_scripted_functions_are_taken_apart() -> None:
    def function(x):
        half, (same, more) = halves(x)
        return half + more * same

    traced = tsc.trace(function, X)
    assert traced(X).tolist() == function(X).tolist()


def test_scripted_function_that_returns_a_number_is_refused_with_a_way_out() -> None:
    unit = tsc.CompilationUnit("def count(x: Tensor) -> int:\n    return x.size(0)\n")
    with pytest.raises(tsc.Error, match="let the scripted function return tensors"):
        tsc.trace(lambda x: x * unit.count(x), X)


def test_traced_function_is_called_by_scripted_ones_and_by_other_traces() -> None:
    doubled = tsc.trace(lambda x: x * 2, X)
    global plus

    @tsc.script
    def plus(x: tsc.Tensor) -> tsc.Tensor:
        return doubled(x) + 1

    assert plus(X).tolist() == [[3, 5], [7, 9]]
    traced = tsc.trace(lambda x: plus(doubled(x)), X)
    assert traced(X).tolist() == [[5, 9], [13, 17]]
    file = io.BytesIO()
    traced.save(file)
    assert tsc.load(file.getvalue())(X).tolist() == [[5, 9], [13, 17]]


def test_inputs_by_name() -> None:
    def weighted(x, w, b):
        return x * w + b

    traced = tsc.trace(weighted, example_kwarg_inputs={"b": X, "x": X, "w": X})
    assert [each.name for each in traced.schema.arguments] == ["b", "x", "w"]
    assert traced(w=X, b=X, x=X * 2).tolist() == (X * 2 * X + X).tolist()


def test_arguments_have_the_names_of_the_functions() -> None:
    def named(image, weight, scale=2):
        return image * weight * scale

    traced = tsc.trace(named, (X, X))
    assert str(traced.schema) == "named(Tensor image, Tensor weight) -> Tensor"
    assert traced.qualified_name.endswith(".named")
    assert tsc.trace(lambda *args: args[0] + 1, X).schema.arguments[0].name == "argument_0"


class Adder:
    def __init__(self, number: int) -> None:
        self.number = number

    def __call__(self, x):
        return x + self.number

    def twice(self, x):
        return x + 2 * self.number


def test_whatever_can_be_called_is_traced() -> None:
    adder = Adder(3)
    functions = adder, adder.twice, functools.partial(tsc.add, tsc.ones(2, 2)), tsc.relu
    for function in functions:
        assert tsc.trace(function, X)(X * 2).tolist() == function(X * 2).tolist()


def test_same_tensor_as_two_inputs_is_two_inputs() -> None:
    traced = tsc.trace(lambda x, y: x - y * 2, (X, X))
    assert traced(X, X * 3).tolist() == (X - X * 6).tolist()


def test_numpy_arrays_are_tensors() -> None:
    traced = tsc.trace(lambda x: x + np.ones(2, np.float32), np.zeros((2, 2), np.float32))
    assert traced(X).tolist() == (X + 1).tolist()


def test_numbers_do_not_decide_on_dtypes() -> None:
    whole = tsc.tensor([1, 2])
    for function in (lambda x: x * 1.5, lambda x: 2 - x, lambda x: (x + 1) / 2):
        traced = tsc.trace(function, whole)
        file = io.BytesIO()
        traced.save(file)
        dtypes = {each(whole).dtype for each in (function, traced, tsc.load(file.getvalue()))}
        assert len(dtypes) == 1


def test_nodes_have_the_line_of_the_user() -> None:
    def function(x):
        y = x + 1
        return y * 2

    nodes = {node.kind: node for node in tsc.trace(function, X).graph.nodes()}
    first = function.__code__.co_firstlineno
    assert nodes["aten::add"].range.line == first + 1
    assert nodes["aten::mul"].range.line == first + 2
    assert nodes["aten::mul"].range.filename == __file__
    assert nodes["aten::mul"].range.text.strip() == "return y * 2"


def test_error_of_a_traced_function_shows_the_line_of_the_user() -> None:
    traced = tsc.trace(lambda x, y: x @ y, (X, X))
    with pytest.raises(tsc.ScriptError, match=r"traced = tsc.trace\(lambda x, y: x @ y"):
        traced(X, tsc.zeros(5, 5))


def test_is_tracing_is_true_inside() -> None:
    seen: list[bool] = []
    tsc.trace(lambda x: (seen.append(tsc.is_tracing()), x + 1)[1], X, check_trace=False)
    assert seen == [True]
    assert not tsc.is_tracing()


def test_requires_grad_of_results_is_followed() -> None:
    leaf = tsc.tensor([1.0, 2.0], requires_grad=True)

    def function(x, w):
        with tsc.no_grad():
            y = x * w
        return y, x * w, (x * w).detach(), (x * w).long()

    *_, result = tsc.trace(function, (leaf * 1, leaf), check_trace=False).graph.nodes()
    flags = [value.type.requires_grad for value in result.inputs]
    assert flags == [False, True, False, False]


def test_other_threads_are_not_recorded() -> None:
    ready, done = threading.Event(), threading.Event()
    shapes: list[object] = []

    def other() -> None:
        ready.wait()
        shapes.extend([X.shape, (X + 1).tolist(), clipped(X, 20.0).tolist(), tsc.is_tracing()])
        done.set()

    def function(x):
        y = x + 1
        ready.set()
        assert done.wait(10)
        return y * 2

    thread = threading.Thread(target=other)
    thread.start()
    traced = tsc.trace(function, X, check_trace=False)
    thread.join()
    assert shapes == [(2, 2), [[2, 3], [4, 5]], X.tolist(), False]
    kinds = [node.kind for node in traced.graph.nodes() if node.kind.startswith("aten")]
    assert kinds == ["aten::add", "aten::mul"]


def test_two_threads_trace_at_once() -> None:
    results: dict[int, object] = {}

    def work(number: int) -> None:
        for _ in range(20):
            traced = tsc.trace(lambda x: (x + number).view(x.size(0) * 2, 1), X)
            results[number] = traced(X).tolist() == (X + number).view(4, 1).tolist()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == dict.fromkeys(range(4), True)


def test_nothing_runs_on_when_a_trace_is_over() -> None:
    tsc.trace(lambda x: x + 1, X)
    assert trace_state.running == 0
    assert X.shape == (2, 2)
    assert isinstance(X.shape[0], int)


def test_names_of_pytorch_are_functions_of_tsc() -> None:
    F = tsc.nn.functional
    assert tsc.relu(X - 2).tolist() == [[0, 0], [1, 2]]
    assert F.linear(X, tsc.ones(1, 2)).tolist() == [[3], [7]]
    assert F.max_pool1d(X, 2).tolist() == [[2], [4]]
    assert F.max_pool1d(X, 2, return_indices=True)[1].tolist() == [[1], [1]]
    assert tsc.linalg.vector_norm(tsc.tensor([3.0, 4.0])).item() == 5
    assert tsc.arange(3, dtype=tsc.float64).dtype is tsc.float64
    assert tsc.zeros(1, requires_grad=True).requires_grad
    assert repr(tsc.nn.functional.relu) == "<function torch.nn.functional.relu>"
    with pytest.raises(AttributeError, match="module 'tsc' has no attribute 'no_such_name'"):
        tsc.no_such_name  # noqa: B018
    with pytest.raises(AttributeError, match=r"module 'tsc\.linalg' has no attribute"):
        tsc.linalg.no_such_name  # noqa: B018


relu, functional = tsc.relu, tsc.nn.functional


@tsc.script
def with_imported_names(x: tsc.Tensor) -> tsc.Tensor:
    return relu(x) + functional.silu(x) * tsc.sigmoid(x)


def test_names_of_pytorch_that_were_imported_mean_the_same_in_compiled_code() -> None:
    kinds = [node.kind for node in with_imported_names.graph.nodes()]
    assert {"aten::relu", "aten::sigmoid", "prim::CallFunction"} <= set(kinds)


def test_library_function_that_depends_on_sizes_stays_a_call() -> None:
    image = tsc.ones(1, 1, 2, 2)
    traced = tsc.trace(lambda x: tsc.nn.functional.interpolate(x, scale_factor=2.0), image)
    assert traced(tsc.ones(1, 1, 3, 5)).shape == (1, 1, 6, 10)
