"""Functions to trace that need no library: they call operators and methods of their tensors.

So tsc's tensors and PyTorch's can be given to each. A case is a function and, for each example input, its sizes;
whole numbers are negative dtypes' business, see `Case`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import tsc


@dataclass(frozen=True)
class Case:
    """`inputs` are nested containers of sizes: a tuple of ints is a tensor, a list a list, a dict a dict.

    ``("int", 2, 3)`` is a tensor of ints, ``("of", …)`` a tuple.
    """

    function: Callable[..., Any]
    inputs: tuple[Any, ...]
    others: tuple[Any, ...]
    strict: bool


CASES: dict[str, Case] = {}


def case(*inputs: Any, others: tuple[Any, ...] = (), strict: bool = True) -> Any:
    """Others are sizes to call the traced function with."""

    def note(function: Any) -> Any:
        CASES[function.__name__] = Case(function, inputs, others, strict)
        return function

    return note


# -- Arithmetic ------------------------------------------------------------------------------------


@case((2, 3), (2, 3), others=((4, 3), (1, 3)))
def arithmetic(x, y):
    a = x + y * 2
    b = a - y / 3.5
    return -b * (1 - x) + 2 / (y + 1)


@case((2, 3), (3,))
def powers(x, y):
    return x**2 + 2**y, (x % 2) ** y, x // 0.5, abs(x - 1)


@case((2, 3), (2, 3), others=((5, 1), (5, 4)))
def comparisons(x, y):
    return (x > y) & (x < 0.9), ~(x >= y), x == y, (x != 0.5) | (y <= 1)


@case(("int", 4), (4,))
def numbers_of_other_kinds(n, x):
    return n * 1.5, n + 1, n / 2, x * n, n // 2


@case((3,), (3, 3))
def products(v, m):
    return m @ v, v @ m, m.mm(m), m.matmul(m.t()), v.dot(v)


@case((2, 3))
def methods_of_tensors(x):
    y = x.relu().sigmoid().tanh()
    return y.exp().log().sqrt() + x.clamp(0.2, 0.8) + x.clamp(min=0.1)


@case((2, 3), (2, 3))
def with_keywords(x, y):
    return x.add(y, alpha=2), x.sum(dim=1, keepdim=True), x.softmax(dim=-1), x.cumsum(dim=0)


@case((2, 3))
def in_place(x):
    y = x.clone()
    y.add_(1)
    y *= 2
    y -= x
    y.clamp_(min=0.5).mul_(x)
    return y.relu_()


@case((4,))
def unused_results_are_left_out(x):
    x.exp()
    x.size(0)
    return x + 1


@case((3,), (3,))
def same_value_twice(x, y):
    z = x + y
    return z, z, x


# -- Reductions ------------------------------------------------------------------------------------


@case((2, 3), others=((4, 5),))
def reductions(x):
    return x.sum(), x.mean(1), x.max(), x.min(), x.prod(0), x.var(1), x.std(0, keepdim=True)


@case((2, 3))
def several_results(x):
    values, places = x.max(1)
    low, _ = x.min(0, keepdim=True)
    top, at = x.topk(2)
    ordered, order = x.sort(descending=True)
    return values, places, low, top, at, ordered, order


@case((2, 3))
def positions(x):
    return x.argmax(), x.argmax(1), x.argmin(0, keepdim=True), x.argsort(1)


@case((2, 3))
def logic(x):
    return (x > 0.5).any(), (x > 0.5).all(1), x.isnan(), (x > 0.5).nonzero()


@case((2, 3))
def norms(x):
    return x.logsumexp(1), x.log_softmax(1), (x * x).sum(1).sqrt()


# -- Shapes ----------------------------------------------------------------------------------------


@case((2, 3), others=((4, 3), (6, 3)))
def sizes_stay_open(x):
    n = x.shape[0]
    y = x.view(n * 3)
    return y.view(-1, n), x.reshape(n, 3, 1), y.expand(n, n * 3)


@case((2, 3), others=((5, 4),))
def sizes_of_new_tensors(x):
    rows, columns = x.shape
    return x.new_zeros(rows, 2), x.new_ones((columns,)), x.new_full((rows, columns), 2.0)


@case((2, 3, 4), others=((3, 5, 4),))
def size_arithmetic(x):
    batch, length, width = x.size()
    y = x.view(batch, length, 2, width // 2).transpose(1, 2)
    return y.reshape(batch * 2, length, -1), x.flatten(1)


@case((2, 3))
def sizes_in_tensors(x):
    return x * x.size(1), x / x.shape[0], x.numel() * x, x.size(-1) + x


@case((2, 3, 4))
def order_of_dimensions(x):
    return x.permute(2, 0, 1), x.transpose(0, 2), x[0].t(), x[0].T, x.mT, x.movedim(0, 1)


@case((2, 1, 3))
def dimensions_of_one(x):
    return x.squeeze(), x.squeeze(1), x.unsqueeze(0), x.squeeze(1).unsqueeze(-1).contiguous()


@case((2, 3))
def repetitions(x):
    return x.repeat(2, 1), x.expand(4, 2, 3), x.repeat_interleave(2, 1), x.flip([0]), x.roll(1, 0)


@case((4, 6))
def parts(x):
    a, b = x.chunk(2)
    c, d, e = x.split(2, 1)
    first, *_ = x.unbind()
    return a + b, c * d - e, first, x.narrow(0, 1, 2)


@case((4, 6), strict=False)
def parts_as_a_list(x):
    return [each * 2 for each in x.split([1, 3])]


# -- Indexing --------------------------------------------------------------------------------------


@case((3, 4), others=((5, 6),))
def selections(x):
    return x[0], x[-1, 2], x[:, 1], x[..., 0], x[0, :2]


@case((3, 4), others=((4, 4),))
def slices(x):
    return x[1:], x[:-1], x[:, ::2], x[None], x[:, None, 1:3], x[...], x[:]


@case((3, 4), others=((2, 4),))
def masks(x):
    return x[x > 0.5], x.masked_fill(x > 0.5, 0), x.where(x > 0.5, x * 2)


@case((3, 4), ("int", 2))
def index_tensors(x, places):
    return x[places], x[:, places], x[places, places], x.index_select(1, places)


@case((3, 4), others=((5, 4),))
def open_bounds(x):
    n = x.size(0)
    return x[: n - 1], x[n - 1], x[:, : n // 2]


@case((3, 4), (4,), others=((2, 4), (4,)))
def assignments(x, row):
    y = x.clone()
    y[0] = 1
    y[1] = row
    y[:, 2] = 0.5
    y[..., 3] = y[..., 0]
    return y


@case((3, 4), others=((2, 4),))
def assignments_to_masks(x):
    y = x.clone()
    y[y > 0.5] = 0
    y[:, 1:3] += 2
    y[0, 0] *= 3
    return y


@case((3, 4), ("int", 2))
def gathering(x, places):
    index = places.unsqueeze(0).expand(3, 2)
    z = x.new_zeros(3, 4)
    return x.gather(1, index), z.scatter(1, index, x[:, :2]), z.index_add(0, places, x[:2])


@case((2, 3))
def views_share_memory(x):
    y = x.clone()
    row = y[0]
    row.add_(1)
    y.t().mul_(2)
    return y, row


# -- Types -----------------------------------------------------------------------------------------


@case((2, 3), ("int", 3))
def conversions(x, n):
    return x.long(), x.double(), n.float() * 2, x.half().float(), n.bool(), x.type_as(n), n.to(x)


@case((2, 3))
def detached(x):
    return x.detach() * 2, x.clone().contiguous()


# -- Containers ------------------------------------------------------------------------------------


@case(("of", (2, 3), (2, 3)), (3,))
def tuples(pair, z):
    a, b = pair
    return (a + z, (b - z, a)), b * 2


@case({"a": (2, 3), "b": (3,)}, strict=False)
def dictionaries(d):
    total = d["a"] + d["b"]
    return {"sum": total, "a": d["a"] * 2}


@case([(2, 3), (2, 3)], (3,), strict=False)
def lists(items, z):
    return [each + z for each in items], items[0]


@case(("of", (2,), ("of", (2,), [(2,), (2,)])))
def nested_inputs(value):
    a, (b, items) = value
    return a + b + items[0] * items[1]


# -- Functions by name -----------------------------------------------------------------------------


def names(x: Any) -> Any:
    """PyTorch for its tensors, and what stands for it for tsc's."""
    return tsc if isinstance(x, tsc.Tensor) else sys.modules["torch"]


@case((2, 3), (2, 3))
def functions_of_torch(x, y):
    torch = names(x)
    a = torch.cat([x, y], 1), torch.stack((x, y)), torch.where(x > y, x, y)
    b = torch.matmul(x, y.t()), torch.relu(x) + torch.sigmoid(y), torch.einsum("ij,kj->ik", x, y)
    return a, b, torch.linalg.vector_norm(x), torch.fft.rfft(x).abs(), torch.special.expit(x)


@case((2, 3), others=((4, 3),))
def factories(x):
    torch = names(x)
    n = x.size(0)
    a = torch.zeros(n, 2) + torch.ones(2) + torch.full((n, 2), 1.5)
    b = torch.arange(n) + torch.eye(n) + torch.zeros_like(x).sum()
    return a, b, torch.linspace(0, 1, 3), torch.zeros(2, dtype=torch.int64)


@case((2, 3))
def activations(x):
    F = names(x).nn.functional
    a = F.relu(x), F.gelu(x), F.elu(x), F.leaky_relu(x), F.silu(x), F.hardtanh(x), F.softplus(x)
    return (
        a,
        F.softmax(x, -1),
        F.log_softmax(x, 1),
        F.dropout(x, 0.5, training=False),
        F.glu(x[:, :2]),
    )


@case((2, 3), (4, 3), (4,))
def layers(x, weight, bias):
    F = names(x).nn.functional
    y = F.linear(x, weight, bias)
    return F.layer_norm(y, (4,)), F.linear(y, weight.t())


@case((1, 2, 6, 6), (3, 2, 3, 3), (3,))
def convolutions(x, weight, bias):
    F = names(x).nn.functional
    y = F.conv2d(x, weight, bias, padding=1)
    z = F.max_pool2d(y, 2), F.avg_pool2d(y, 3, stride=1)
    return z, F.conv_transpose2d(y, weight), F.pad(x, (1, 1))


@case((5, 3), ("int", 2, 2))
def embeddings(table, tokens):
    F = names(table).nn.functional
    return F.embedding(tokens, table), F.one_hot(tokens, 3)


@case((2, 3), ("int", 2))
def losses(x, target):
    F = names(x).nn.functional
    return F.cross_entropy(x, target), F.nll_loss(x, target)


@case((2, 3))
def keywords_of_python(x):
    t = names(x)
    total = t.sum(input=x, axis=1, keepdims=True)
    return t.mul(input=total, other=x), t.softmax(input=x, dim=0)


# -- Control flow ----------------------------------------------------------------------------------


@case((3, 2), others=((3, 2),))
def unrolled_loop(x):
    h = x.new_zeros(2)
    for i in range(3):
        h = (h + x[i]).tanh()
    return h


@case((2, 3), (3,))
def decided_by_dimensions(x, y):
    if x.dim() > y.dim():
        y = y.unsqueeze(0)
    return x + y


def helper(x, factor):
    scaled = x * factor
    return scaled + 1


@case((2, 3))
def calls_of_functions(x):
    y = helper(x, 2)
    return helper(y, 3)


@case((2, 3), (4, 3), (4,))
def linear_layer(input, weight, bias):
    return input @ weight.t() + bias


@case((2, 4), (4, 4), (4, 4))
def attention(x, wq, wk):
    q, k = x @ wq, x @ wk
    scores = q @ k.transpose(-2, -1) / x.size(-1) ** 0.5
    return scores.softmax(-1) @ x


@case((2, 3))
def forked(x):
    future = jit().fork(helper, x, 2)
    other = helper(x, 3)
    return jit().wait(future) * other


@case((2, 3), (2, 3))
def forks_that_fork(x, y):
    def inner(a, b):
        future = jit().fork(helper, a + b, 2)
        return future.wait() - a

    one = jit().fork(inner, x, y)
    two = jit().fork(inner, y, x)
    return jit().wait(one) * jit().wait(two)


def jit():
    """Whose functions the tensors are: PyTorch's while it is asked, tsc's otherwise."""
    torch = sys.modules.get("torch")
    return tsc if torch is None or tsc.is_tracing() else torch.jit
