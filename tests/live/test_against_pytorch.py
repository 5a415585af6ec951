"""The corpus as live functions, and modules of the user's PyTorch, scripted here and by PyTorch."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import pytest
import torch

import tsc
from tests.oracle.answers import normalize_code, normalize_graph
from tests.oracle.apart import apart
from tests.oracle.programs import topics

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

SHARE = 6
"""One in so many programs of the corpus is tried."""


def share(programs: list[Any]) -> list[Any]:
    return [each for each in programs if each.calls][::SHARE]


@pytest.mark.parametrize("topic", [name for name in topics() if name != "decorators"])
def test_functions_of_the_corpus_have_pytorchs_graphs(topic: str) -> None:
    assert apart(compared_functions, topic) or topic == "extensions"


def compared_functions(topic: str) -> int:
    """Fail on a graph that is not PyTorch's; the number of functions that were compared."""
    from tests.oracle.pytorch import imported

    compared = 0
    for program in share(topics()[topic]):
        with imported(program) as module:
            for name in program.functions:
                try:
                    theirs = torch.jit.script(getattr(module, name))
                except Exception:  # noqa: BLE001  an extension of ours
                    continue
                ours = tsc.script(getattr(module, name))
                assert normalize_graph(str(ours.graph)) == normalize_graph(str(theirs.graph)), (
                    program.key
                )
                compared += 1
    return compared


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.save_for_backward(x, y)
        return x * y, x + y

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        x, y = ctx.saved_tensors
        return grads[0] * y + grads[1], grads[0] * x + grads[1]


LINEAR = torch.nn.Linear(2, 2)
applied = Product.apply


def with_products(x, y):
    a, b = Product.apply(x, y)
    c, d = applied(a, b)
    return c * d


def with_a_module(x):
    return LINEAR(x) + 1


@pytest.mark.parametrize("function", [with_products, with_a_module])
def test_what_is_left_to_python_is_in_pytorchs_graphs(function: Any) -> None:
    assert str(tsc.script(function).graph) == str(torch.jit.script(function).graph)


def test_functions_with_gradients_of_their_own() -> None:
    x = tsc.tensor([1.0, 2.0], requires_grad=True)
    theirs = torch.tensor([1.0, 2.0], requires_grad=True)
    tsc.script(with_products)(x, x * 3).sum().backward()
    torch.jit.script(with_products)(theirs, theirs * 3).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == theirs.grad.tolist()


def module_cases() -> list[str]:
    from .modules_of_pytorch import modules

    return list(modules())


def tensors(value: Any) -> Iterator[Any]:
    """The tensors and numbers in a result, in order."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, tuple | list):
        for each in value:
            yield from tensors(each)
    elif isinstance(value, tsc.Tensor):
        yield torch.from_numpy(value.numpy(force=True))
    else:
        yield value


def as_given(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.numpy(force=True)
    return [as_given(each) for each in value]


def without_numbers(text: str) -> str:
    return re.sub(r"warn_id=\d+", "warn_id", text)


@pytest.mark.parametrize("name", module_cases())
@pytest.mark.parametrize("training", [True, False])
def test_module_has_pytorchs_graphs_and_results(name: str, training: bool) -> None:
    from .modules_of_pytorch import modules

    module, inputs = modules()[name]
    for each in module.modules():
        if isinstance(each, torch.nn.Dropout):
            each.p = 0.0
        if isinstance(each, torch.nn.MultiheadAttention):
            each.dropout = 0.0
    module.train(training)
    theirs, ours = torch.jit.script(module), tsc.script(module)
    state = {key: value.clone() for key, value in module.state_dict().items()}
    for method in theirs._c._method_names():
        mine, other = ours._method(method), theirs._c._get_method(method)
        graphs = [without_numbers(normalize_graph(str(each.graph))) for each in (mine, other)]
        assert graphs[0] == graphs[1]
        assert normalize_code(mine.code) == normalize_code(other.code)
    expected = list(tensors(theirs(*inputs)))
    after = {key: value.clone() for key, value in theirs.state_dict().items()}
    module.load_state_dict(state)
    found = list(tensors(ours(*map(as_given, inputs))))
    assert len(found) == len(expected)
    for mine, other in zip(found, expected):
        torch.testing.assert_close(mine, other.detach() if hasattr(other, "detach") else other)
    assert list(ours.state_dict()) == list(theirs.state_dict())
    for key, value in ours.state_dict().items():
        torch.testing.assert_close(torch.from_numpy(value.numpy(force=True)), after[key])


def test_parameters_share_their_memory_with_pytorchs() -> None:
    linear = torch.nn.Linear(2, 2)
    scripted = tsc.script(linear)
    with torch.no_grad():
        linear.weight.fill_(7.0)
    assert scripted.weight.tolist() == [[7.0, 7.0], [7.0, 7.0]]


def test_tied_parameters_stay_tied() -> None:
    first, second = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    second.weight = first.weight
    scripted = tsc.script(torch.nn.Sequential(first, second))
    assert len(list(scripted.parameters())) == 3


def test_module_scripted_by_pytorch_is_refused_with_a_way_out() -> None:
    with pytest.raises(tsc.Error, match=r"tsc\.load"):
        tsc.script(torch.jit.script(torch.nn.Linear(2, 2)))


def test_constants_of_torch_in_live_functions() -> None:
    dtype, device = torch.float64, torch.device("cpu")

    def made(n: int) -> torch.Tensor:
        return torch.full([n], torch.pi, dtype=dtype, device=device)

    assert str(tsc.script(made)(2).dtype) == "torch.float64"


@pytest.mark.parametrize("is_recorded", [True, False])
def test_encoder_with_padding_goes_pytorchs_way(is_recorded: bool) -> None:
    """For inference PyTorch leaves the padding out, in a nested tensor, and fills it with zeros."""
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, 2).eval().requires_grad_(is_recorded)
    x = torch.randn(3, 4, 8)
    mask = torch.arange(4) >= torch.tensor([[2], [4], [1]])
    expected = encoder(x, src_key_padding_mask=mask)
    found = tsc.script(encoder)(x.numpy(), src_key_padding_mask=mask.numpy())
    torch.testing.assert_close(torch.from_numpy(found.detach().numpy()), expected.detach())
    assert (found.detach().numpy()[0, 3] == 0).all() != is_recorded


@pytest.mark.parametrize("name", module_cases())
def test_archive_of_a_scripted_module_loads_in_pytorch(name: str) -> None:
    from .modules_of_pytorch import modules

    module, inputs = modules()[name]
    archive = io.BytesIO()
    tsc.script(module.eval()).save(archive)
    archive.seek(0)
    theirs = torch.jit.load(archive)
    for mine, other in zip(tensors(module(*inputs)), tensors(theirs(*inputs)), strict=True):
        torch.testing.assert_close(mine, other)


def test_function_compiled_by_torch_jit_is_compiled_again() -> None:
    def inner(x: int) -> int:
        return x + 1

    theirs = torch.jit.script(inner)

    def outer(x: int) -> int:
        return theirs(x) * 2

    assert (tsc.script(theirs)(1), tsc.script(outer)(1)) == (2, 4)


def test_lazy_module_is_refused_with_pytorchs_reason() -> None:
    with pytest.raises(tsc.Error, match="uninitialized parameter"):
        tsc.script(torch.nn.LazyLinear(3))
