"""Calls of random operators: each begins from a seed and runs one after the other.

``seed; operator(arguments); …`` with operators named as in ``torch.ops.aten``; ``z(dtype, shape)``
is a tensor of zeros.
"""

from __future__ import annotations

_FILLS = (
    "uniform_(z('float32', [{n}]), -2.0, 3.0)",
    "normal_(z('float32', [{n}]), 1.5, 0.5)",
    "exponential_(z('float32', [{n}]), 2.0)",
    "bernoulli_.float(z('float32', [{n}]), 0.3)",
    "rand([{n}])",
    "randn([{n}])",
    "randint(10, [{n}])",
    "randperm({n})",
)

RANDOM_SAMPLES = [
    *(f"{seed}; rand([3]); rand([2])" for seed in (0, 1, 5, 42, 12345678901, -3)),
    *(f"7; {fill.format(n=n)}; rand([1])" for fill in _FILLS for n in (1, 2, 7, 15, 16, 17, 40)),
    *(f"3; {name}([{n}], dtype={code}); rand([1])"
      for name in ("rand", "randn") for n in (3, 20) for code in (5, 7, 15, 9)),
    "4; randn([3]); randn([4]); randn([16]); randn([1])",
    "4; randn([3]); randn([1], dtype=7)",
    "4; randn([0]); rand([2])",
    "4; rand([2, 3, 4])",
    "4; randn([2, 3, 4])",
    "4; randn([5, 5])",
    "8; randint.low(-5, 5, [10])",
    "8; randint.low(0, 268435455, [4])",
    "8; randint.low(0, 268435456, [4])",
    "8; randint.low(-4611686018427387904, 4611686018427387904, [4])",
    "8; randint(10, [4], dtype=6)",
    "8; randint(10, [4], dtype=0)",
    *(f"9; random_(z('{dtype}', [5])); rand([1])"
      for dtype in ("int64", "int32", "int16", "int8", "uint8", "float32", "float64", "bool")),
    "9; random_.from_(z('int64', [5]), 10, 20)",
    "9; random_.to(z('float32', [5]), 20)",
    "9; bernoulli(full([6], 0.4))",
    "9; bernoulli(full([6], 0.4, dtype=7))",
    "9; bernoulli.p(z('int64', [6]), 0.5)",
    "9; bernoulli_.float(z('bool', [6]), 0.5)",
    "9; bernoulli_.Tensor(z('float32', [6]), full([6], 0.5))",
    "10; normal.Tensor_float(full([4], 2.0), 0.5)",
    "10; normal.float_Tensor(1.0, full([4], 0.5))",
    "10; normal.Tensor_Tensor(full([20], 2.0), full([20], 0.5))",
    "10; normal.float_float(1.0, 2.0, [20])",
    "10; cauchy_(z('float32', [5]))",
    "10; log_normal_(z('float32', [5]))",
    "10; geometric_(z('float32', [5]), 0.3)",
    "10; uniform_(z('float64', [5]), 1.0, 2.0)",
    "10; normal_(z('float64', [20]), 1.0, 2.0)",
    "10; exponential_(z('float64', [5]), 1.5)",
    "11; multinomial(softmax.int(randn([6]), 0), 1)",
    "11; multinomial(softmax.int(randn([6]), 0), 3)",
    "11; multinomial(softmax.int(randn([6]), 0), 8, True)",
    "11; multinomial(softmax.int(randn([3, 6]), 1), 2)",
    "11; multinomial(softmax.int(randn([3, 6]), 1), 4, True)",
    "12; dropout(ones([3, 4]), 0.5, True); rand([1])",
    "12; dropout(ones([3, 4]), 0.1, True)",
    "12; feature_dropout(ones([2, 4, 3]), 0.5, True)",
    "12; alpha_dropout(ones([3, 4]), 0.3, True)",
    "12; rand_like(ones([3], dtype=7))",
    "12; randn_like(ones([20]))",
    "12; randint_like(ones([5]), 10)",
    "12; randint_like.low_dtype(ones([5], dtype=4), -3, 3)",
    "13; randperm(1); randperm(0); randperm(2)",
    "13; randperm(10, dtype=3)",
    "14; rrelu(full([5], -1.0), 0.1, 0.3, True)",
]  # fmt: skip


def calls(text: str) -> tuple[int, list[str]]:
    """The seed, and the calls."""
    seed, *rest = text.split(";")
    return int(seed), [call.strip() for call in rest]


class Names(dict):
    """The names in a call: what is not set is an operator, or the namespace of its overloads."""

    def __init__(self, operator, **names) -> None:
        super().__init__(names)
        self.operator = operator

    def __missing__(self, name: str):
        if name.startswith("__"):
            raise KeyError(name)
        return _Overloads(self.operator, name)


class _Overloads:
    def __init__(self, operator, name: str) -> None:
        self._operator, self._name = operator, name

    def __getattr__(self, overload: str):
        return self._operator(self._name, overload)

    def __call__(self, *arguments, **keywords):
        return self._operator(self._name, "")(*arguments, **keywords)
