"""Modules and functions of the user's PyTorch, traced by both: graphs, code, results, and archives both ways."""

from __future__ import annotations

import copy
import io
import pickle
import warnings
from typing import Any

import pytest
import torch

import tsc
from tests.oracle.answers import normalize_code, normalize_graph
from tests.oracle.apart import apart
from tests.tracing.samples import same

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

from tests.tracing.models import models, names  # noqa: E402
from tests.tracing.modules_of_pytorch import CASES, SeveralMethods, Traced  # noqa: E402

OTHER_GRAPHS = {
    "gpt": "PyTorch's tracer refuses modules with exported methods if forward is called by them",
    "scripted here": "PyTorch cannot call what tsc compiled",
}
"""What PyTorch does not trace to the same graph, and why."""


OTHER_MODELS: dict[str, str] = {}
"""The same for the models of the archives."""


def both(case: Traced) -> tuple[Any, Any]:
    """The traces of PyTorch and of tsc, of the same module with the same state."""
    torch.manual_seed(0)
    module = case.make()
    inputs = copy.deepcopy(case.inputs)
    theirs = torch.jit.trace(module, inputs, check_trace=False, strict=False)
    ours = tsc.trace(module, copy.deepcopy(case.inputs), check_trace=False, strict=False)
    return theirs, ours


def methods(module: Any, is_ours: bool) -> dict[str, tuple[str, str]]:
    """Graph and code of each method, by path and name."""
    if not hasattr(module, "named_modules"):
        return {"": (normalize_graph(str(module.graph)), normalize_code(module.code))}
    found: dict[str, tuple[str, str]] = {}
    for path, each in module.named_modules():
        names = each.methods if is_ours else each._c._method_names()
        for name in names:
            method = each._method(name) if is_ours else each._c._get_method(name)
            graph = normalize_graph(str(method.graph))
            found[f"{path}.{name}"] = graph, normalize_code(method.code)
    return found


@pytest.mark.parametrize("name", [name for name in CASES if name not in OTHER_GRAPHS])
def test_graph_and_code_of_each_method_are_pytorchs(name: str) -> None:
    apart(_compare, name)


def _compare(name: str) -> None:
    theirs, ours = both(CASES[name])
    expected, found = methods(theirs, False), methods(ours, True)
    assert found.keys() == expected.keys()
    for path, (graph, code) in expected.items():
        assert found[path][0] == graph, path
        assert found[path][1] == code, path
    inlined = [normalize_graph(str(each.inlined_graph)) for each in (ours, theirs)]
    assert inlined[0] == inlined[1]


@pytest.mark.parametrize("name", names())
def test_models_of_the_archives_have_pytorchs_graphs(name: str) -> None:
    assert apart(_compare_model, name) or name not in OTHER_MODELS


def _compare_model(name: str) -> bool:
    """Fail on a trace that is not PyTorch's; False if PyTorch traces no such module."""
    warnings.simplefilter("ignore")
    if name not in models():
        return False
    module, inputs = models()[name]
    options = {"check_trace": False, "strict": False}
    try:
        theirs = torch.jit.trace(copy.deepcopy(module), copy.deepcopy(inputs), **options)
    except (RuntimeError, TypeError, AttributeError):
        return False
    ours = tsc.trace(copy.deepcopy(module), copy.deepcopy(inputs), **options)
    equal = methods(theirs, False) == methods(ours, True)
    assert equal == (name not in OTHER_MODELS)
    return True


def test_most_models_are_traced() -> None:
    assert apart(_traced_models) >= 65


def _traced_models() -> int:
    warnings.simplefilter("ignore")
    return sum(_is_traced(*model) for model in models().values())


def _is_traced(module: Any, inputs: Any) -> bool:
    try:
        tsc.trace(copy.deepcopy(module), copy.deepcopy(inputs), check_trace=False, strict=False)
    except (tsc.Error, TypeError, AttributeError):
        return False
    return True


@pytest.mark.parametrize("name", CASES)
def test_results_and_archives(name: str) -> None:
    """What is traced here gives what the module gives, and so does its archive, in PyTorch as well."""
    case = CASES[name]
    torch.manual_seed(0)
    module = case.make()
    traced = tsc.trace(module, copy.deepcopy(case.inputs), check_trace=False, strict=False)
    file = io.BytesIO()
    traced.save(file)
    theirs, again = torch.jit.load(io.BytesIO(file.getvalue())), tsc.load(file.getvalue())
    for inputs in (case.inputs, *case.others):
        before = copy.deepcopy(module)
        with torch.no_grad():
            expected = before(*copy.deepcopy(inputs))
            for each in (traced, theirs, again):
                assert same(each(*copy.deepcopy(inputs)), expected)


@pytest.mark.parametrize("name", [name for name in CASES if name not in OTHER_GRAPHS])
def test_what_pytorch_traced_runs_here(name: str) -> None:
    case = CASES[name]
    torch.manual_seed(0)
    module = case.make()
    file = io.BytesIO()
    theirs = torch.jit.trace(module, copy.deepcopy(case.inputs), check_trace=False, strict=False)
    torch.jit.save(theirs, file)
    loaded = tsc.load(file.getvalue())
    with torch.no_grad():
        expected = copy.deepcopy(module)(*copy.deepcopy(case.inputs))
    assert same(loaded(*copy.deepcopy(case.inputs)), expected)


@pytest.mark.parametrize("name", ["shared layers", "shapes", "resnet", "attention", "functional"])
def test_checking_finds_nothing_to_complain_of(name: str) -> None:
    case = CASES[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error", tsc.TracerWarning)
        tsc.trace(case.make(), copy.deepcopy(case.inputs), strict=False)


def test_several_methods_of_a_module() -> None:
    module = SeveralMethods()
    x, z = torch.rand(2, 3), torch.rand(2, 5)
    inputs = {"forward": x, "encode": x, "decode": (z,)}
    theirs = torch.jit.trace_module(module, inputs, check_trace=False)
    ours = tsc.trace_module(module, inputs)
    assert ours.methods == ["forward", "encode", "decode"]
    for name in inputs:
        theirs_graph = str(theirs._c._get_method(name).graph)
        assert normalize_graph(str(getattr(ours, name).graph)) == normalize_graph(theirs_graph)
    with torch.no_grad():
        assert same(ours.decode(ours.encode(x)), module(x))


NESTED_CALLS = """
def inner(x, n: int):
    return x * 7 + 9

def middle(x):
    y = inner(x, 5)
    if bool(y.sum() > 3):
        y = inner(y, 6) + 1
    return y

def outer(x):
    return middle(x) + middle(x * 3)
"""


def test_inlined_graph_of_nested_calls_is_pytorchs() -> None:
    graphs = [
        unit(NESTED_CALLS).outer.inlined_graph
        for unit in (tsc.CompilationUnit, torch.jit.CompilationUnit)
    ]
    assert normalize_graph(str(graphs[0])) == normalize_graph(str(graphs[1]))


def test_parameters_are_shared_with_the_module() -> None:
    module = torch.nn.Linear(2, 1)
    traced = tsc.trace(module, torch.rand(1, 2))
    with torch.no_grad():
        module.weight.fill_(3)
        module.bias.zero_()
    assert traced(torch.ones(1, 2)).tolist() == [[6]]
    assert list(traced.state_dict()) == ["weight", "bias"]


def test_tensor_that_requires_gradients_is_no_constant() -> None:
    outside = torch.nn.Parameter(torch.rand(2))
    with pytest.raises(tsc.Error, match="Cannot insert a Tensor that requires grad as a constant"):
        tsc.trace(lambda x: x * outside, torch.rand(2))


def test_pytorch_is_as_before_when_a_trace_has_failed() -> None:
    before = torch._C._get_tracing_state, torch.nn.functional.has_torch_function_unary
    with pytest.raises(ZeroDivisionError):
        tsc.trace(lambda x: x / (1 // 0), torch.rand(2))
    assert (torch._C._get_tracing_state, torch.nn.functional.has_torch_function_unary) == before
    assert not torch.jit.is_tracing()
    assert torch.jit.trace(lambda x: x + 1, torch.rand(2))(torch.ones(2)).tolist() == [2, 2]


def test_functions_of_pytorch_take_tensors_of_tsc() -> None:
    F = torch.nn.functional
    theirs = torch.tensor([[1.0, -2.0], [0.5, 3.0]])
    ours = tsc.from_numpy(theirs.numpy())
    for function in (
        torch.relu,
        F.gelu,
        lambda x: F.linear(x, torch.ones(1, 2)),
        lambda x: torch.cat([x, x], dim=1),
        lambda x: torch.zeros_like(x, dtype=torch.int64),
        lambda x: torch.ones(2) + x,
        lambda x: x * torch.ones(2),
        lambda x: torch.where(x > 0, x, torch.zeros(2)),
        torch.nn.LayerNorm(2).requires_grad_(False),
    ):
        found = function(ours)
        assert isinstance(found, tsc.Tensor)
        assert same(found, function(theirs))
    with pytest.raises(tsc.ScriptError, match="cannot be called with tensors of tsc"):
        torch.lobpcg(ours)
    traced = tsc.trace(lambda x: torch.relu(F.silu(x)), ours)
    assert [each.kind for each in traced.graph.nodes()] == ["aten::silu", "aten::relu"]


def test_tensors_of_both_are_constants_to_each_other() -> None:
    theirs = torch.tensor([1.0, 2.0])
    ours = tsc.from_numpy(theirs.numpy())
    for function in (lambda x: x + ours, lambda x: torch.cat([x, ours]), lambda x: ours * x):
        traced = tsc.trace(function, theirs)
        assert same(traced(theirs * 2), function(theirs * 2))
    for function in (lambda x: x + theirs, lambda x: torch.cat([x, theirs]), lambda x: theirs * x):
        traced = tsc.trace(function, ours)
        assert same(traced(ours * 2), function(ours * 2))


def test_traced_modules_are_copied_and_pickled() -> None:
    module = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3)).eval()
    traced = tsc.trace(module, torch.rand(4, 2))
    x = torch.rand(1, 2)
    with torch.no_grad():
        for each in (copy.deepcopy(traced), pickle.loads(pickle.dumps(traced))):
            assert same(each(x), module(x))
    assert "original_name=Linear" in repr(traced)


def test_printing_a_tensor_is_no_part_of_a_trace() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", tsc.TracerWarning)
        traced = tsc.trace(lambda x: (repr(x), x + 1)[1], torch.rand(2))
    assert [node.kind for node in traced.graph.nodes()][-1] == "aten::add"


def test_operator_that_tsc_lacks_is_named() -> None:
    with pytest.raises(tsc.Error, match="tsc has no operator aten::_cslt_compress"):
        tsc.trace(lambda x: _lacking(x), torch.rand(2, 2))


def _lacking(x: Any) -> Any:
    """Calls what hands over to modes by the name of an operator that tsc does not have."""
    from torch.overrides import handle_torch_function

    members = {"__call__": lambda _self, y: y.clone(), "__name__": "_cslt_compress"}
    return handle_torch_function(type("Builtin", (), members)(), (x,), x)
