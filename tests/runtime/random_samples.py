"""Calls of random operators: each begins from a seed and runs one after the other.

``seed; operator(arguments); …`` with operators named as in ``torch.ops.aten``; ``z(dtype, shape)``
is a tensor of zeros, and ``zt`` the transpose of one.
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

_FLOATS = ("float16", "bfloat16", "float32", "float64")
_INTEGERS = ("uint8", "int8", "int16", "int32", "int64", "bool")

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
    *(f"15; {name}(z('{dtype}', [{n}]){rest}); rand([1])" for dtype in _FLOATS for n in (5, 20)
      for name, rest in (("uniform_", ", -3.0, 5.0"), ("normal_", ", 1.0, 3.0"), ("cauchy_", ""),
                         ("exponential_", ", 0.5"), ("log_normal_", ", 0.0, 0.5"),
                         ("geometric_", ", 0.25"), ("random_", ""))),
    *(f"15; {name}(z('{dtype}', [5]){rest}); rand([1])" for dtype in _INTEGERS
      for name, rest in (("bernoulli_.float", ", 0.4"), ("random_.from_", ", 0, None"),
                         ("random_.to", ", 2"), ("random_", ""))),
    *(f"15; geometric_(z('{dtype}', [5]), 0.25)" for dtype in _INTEGERS[:-1]),
    *(f"16; {name}(zt('{dtype}', [6, 4])); rand([1])" for dtype in ("float32", "float64", "complex64")
      for name in ("uniform_", "normal_")),
    *(f"16; {name}(zt('float32', [6, 4]){rest}); rand([1])"
      for name, rest in (("exponential_", ""), ("log_normal_", ""), ("random_", ""),
                         ("bernoulli_.float", ", 0.3"), ("random_.to", ", 10"), ("rand_like", ""),
                         ("randn_like", ""), ("randint_like", ", 10"))),
    *(f"17; random_.from_(z('{dtype}', [4]), {low}, {high})"
      for dtype in ("int64", "float32", "float64", "bfloat16")
      for low, high in ((-(2**63), None), (-100, None), (0, 2**40), (-(2**20), 2**20))),
    "18; poisson(rand([30])); rand([1])",
    "18; poisson(mul.Scalar(rand([30]), 50)); rand([1])",
    "18; poisson(mul.Scalar(rand([3, 4], dtype=7), 15)); rand([1])",
    "18; binomial(full([20], 10.0), rand([20])); rand([1])",
    "18; binomial(full([20], 500.0), rand([20])); rand([1])",
    "18; binomial(full([6], 40.0, dtype=7), rand([6], dtype=7)); rand([1])",
    "18; binomial(full([4], 5.0), full([1], 0.0)); binomial(full([2], 0.0), full([2], 0.5))",
    "19; _standard_gamma(rand([20])); rand([1])",
    "19; _standard_gamma(mul.Scalar(rand([20]), 30)); randn([1])",
    "19; _standard_gamma(mul.Scalar(rand([2, 3], dtype=7), 3)); randn([1])",
    "19; _sample_dirichlet(rand([4, 5])); rand([1])",
    "19; _sample_dirichlet(full([3], 2.0, dtype=7)); rand([1])",
    "20; uniform(rand([3])); normal_functional(ones([3])); exponential(ones([3])); geometric(ones([3]), 0.5)",
    "20; uniform.out(rand([3]), out=z('float32', [3])); random.to_out(ones([3]), 9, out=z('float32', [3]))",
    "20; normal.out(ones([3]), 1.0, 0.5, out=z('float32', [3])); poisson.out(ones([3]), out=z('float32', [3]))",
    "20; _no_grad_normal_(ones([3]), 0.0, 2.0); _no_grad_uniform_(ones([3]), -1.0, 1.0)",
    "19; _standard_gamma(full([6], -0.5)); _standard_gamma(full([3], -1.0)); _standard_gamma(full([2], 1e30))",
    "19; _sample_dirichlet(z('float32', [3])); _sample_dirichlet(ones([2, 1])); rand([1])",
    "18; poisson(full([4], float('inf'))); poisson(full([2], 1e30)); rand([1])",
    "18; binomial(full([2, 1], 9.0), rand([3])); rand([1])",
    "21; randperm(100); randperm(33, dtype=7); rand([1])",
    "22; dropout(zt('float32', [6, 4]), 0.5, True); native_dropout(zt('float32', [6, 4]), 0.5, True)",
]  # fmt: skip


def calls(text: str) -> tuple[int, list[str]]:
    """The seed, and the calls."""
    seed, *rest = text.split(";")
    return int(seed), [call.strip() for call in rest]


class Names(dict):
    """The names in a call: what is not set is an operator, or the namespace of its overloads."""

    def __init__(self, operator, **names) -> None:
        super().__init__(names, float=float)
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
