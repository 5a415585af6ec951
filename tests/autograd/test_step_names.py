"""What `grad_fn` shows is what PyTorch shows."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch")

import tsc  # noqa: E402

HEADER = "import torch\nimport torch.nn.functional as F\nfrom torch import Tensor\n"
EXPRESSIONS = (
    *("x + x", "x + 1", "1 - x", "x * 2", "x / 2", "x / x", "x ** 2", "x ** x", "2 ** x", "-x", "x - 1"),
    *("x.clone().add_(1)", "x.clone().mul_(x)"),
    *("x.exp()", "x.log1p()", "x.clamp(min=0.0)", "x.clamp_min(0.1)", "torch.atan2(x, x)", "x.exp2()"),
    *("x.sum()", "x.sum(0)", "x.mean()", "x.mean(0)", "x.max()", "x.max(dim=1)[0]", "x.prod(0)", "x.var()"),
    *("F.linear(x, w, b)", "F.linear(x, w)", "F.linear(x[None], w, b)", "F.linear(x[None], w)"),
    *("F.linear(x[0], w, b)", "F.linear(x[0], w)", "x @ w", "x @ b", "b @ w", "b @ b", "x[None] @ w"),
    *("x[0]", "x[:2]", "x[x > 0]", "x.view(-1)", "x.reshape(-1)", "x.flatten()", "x.t()", "x.mT", "x[None]"),
    *("x.squeeze()", "x.squeeze(0)", "x.permute(1, 0)", "x.chunk(2, 1)[0]", "x.split(2, 1)[0]", "x.narrow(0, 0, 1)"),
    *("torch.cat([x, x])", "torch.stack([x, x])", "torch.where(x > 0, x, x * 2)", "x.to(torch.float64)"),
    *("x.t().contiguous()", "x.expand(2, 3, 4)", "x.repeat(2, 1)", "torch.outer(b, b)", "x.norm(2.0, [0])"),
    *("F.layer_norm(x, [4])", "F.relu6(x)", "F.selu(x)", "F.softmax(x, -1)", "F.gelu(x)", "F.pad(x, [1, 1])"),
    *("F.max_pool2d(x[None], 2)", "F.avg_pool2d(x[None], 2)", "F.adaptive_avg_pool2d(x[None], [1, 1])"),
    *("F.adaptive_avg_pool2d(x[None], [2, 2])", "F.nll_loss(x, torch.tensor([0, 1, 2]))", "x.masked_fill(x > 0, 1.0)"),
    *("F.interpolate(x[None, None], scale_factor=2.0)", "x.scatter(1, torch.zeros(3, 1, dtype=torch.long), 1.0)"),
    *("F.conv1d(x[None], w[:, :3, None])", "F.batch_norm(x, None, None, training=True)", "x.lerp(x, x)"),
    *("F.dropout(x, 0.5, True)", "torch.linalg.inv(w)", "x.cumsum(0)", "x.sort()[0]", "x.remainder(x)", "x.fmod(2)"),
)  # fmt: skip


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_names(expression: str) -> None:
    source = (
        f"{HEADER}\n\ndef f(x: Tensor, w: Tensor, b: Tensor) -> Tensor:\n    return {expression}\n"
    )
    given = [torch.rand(3, 4) + 0.1, torch.rand(4, 4), torch.rand(4)]
    names: list[str] = []
    for unit, made in (
        (torch.jit.CompilationUnit(source.removeprefix(HEADER).replace("F.", "torch.nn.functional.")), given),
        (tsc.CompilationUnit(source), [tsc.from_numpy(each.numpy()) for each in given]),
    ):  # fmt: skip
        result = unit.f(*[each.clone().requires_grad_() for each in made])
        names.append(str(result.grad_fn).strip("<>").partition(" ")[0])
    assert names[1] == names[0]
