"""What the names of the Python modules that TorchScript knows stand for: data only.

A name is looked up by its full path, ``torch.nn.functional.relu``. Most of ``torch`` needs no
entry: a name there is the ``aten`` operator of that name, where there is one.
"""

from __future__ import annotations

import cmath
import math
from typing import Final

from tsc.compiler.types import LAYOUTS, MEMORY_FORMATS, QSCHEMES, SCALAR_TYPE_BY_NAME

OPERATOR_PREFIXES: Final[dict[str, str]] = {
    "torch": "aten::",
    "torch.functional": "aten::",
    "torch.fft": "aten::fft_",
    "torch.linalg": "aten::linalg_",
    "torch.special": "aten::special_",
    "torch.sparse": "aten::sparse_",
    "torch._VF": "aten::",
    "torch._C._VariableFunctions": "aten::",
    "torch._C._nn": "aten::",
    "torch._C._fft": "aten::",
    "torch._C._linalg": "aten::",
    "torch._C._special": "aten::",
    "torch._C._sparse": "aten::",
    "torch.ops.aten": "aten::",
    "torch.ops.prim": "prim::",
}
"""Modules whose names are operators: the name is put behind the prefix."""

LIBRARY_FILES: Final = frozenset(("torch.nn.utils.rnn",))
"""Modules that are source files of the library: their classes are known, too."""

LIBRARY_MODULES: Final = frozenset(
    (
        *("torch.nn.functional", "torch.functional", "torch.nn.init"),
        *("torch.nn._reduction", "torch.jit._trace", "torch.compiler"),
        *LIBRARY_FILES,
    )
)
"""Modules whose other names are functions of the library, written in TorchScript."""

MODULES: Final = frozenset(
    (
        *OPERATOR_PREFIXES,
        *LIBRARY_MODULES,
        *(
            "torch.nn",
            "torch.nn.utils",
            "torch.nn.modules",
            "torch.nn.modules.utils",
            "torch.jit",
            "torch.ops",
        ),
        *("torch._C", "torch.autograd", "torch.autograd.grad_mode", "torch.cuda", "torch.onnx"),
        *("torch.autograd.profiler", "torch.profiler"),
        *("torch.distributed", "torch.overrides"),
        *("torch.backends", "torch.backends.cudnn", "torch.nn.common_types"),
        *("torch.testing", "torch.utils", "torch.random", "torch._jit_internal"),
        *("math", "cmath", "typing", "typing_extensions", "collections", "collections.abc"),
        *("warnings", "__future__"),
    )
)

CUSTOMARY_ALIASES: Final = {
    "F": "torch.nn.functional",
    "nn": "torch.nn",
    "OrderedDict": "collections.OrderedDict",
}
"""Names for modules and functions that a text without imports may use."""

_DIRECT_FUNCTIONALS = (
    *("_no_grad_embedding_renorm_", "_pair", "_single", "_triple", "adaptive_avg_pool1d"),
    *("avg_pool1d", "avg_pool2d", "avg_pool3d", "bilinear", "celu_", "channel_shuffle"),
    *("conv1d", "conv2d", "conv3d", "conv_tbc"),
    *("conv_transpose1d", "conv_transpose2d", "conv_transpose3d"),
    *("cosine_similarity", "elu_", "gelu", "hardshrink", "hardtanh_", "leaky_relu_", "linear"),
    *("native_channel_shuffle", "one_hot", "pairwise_distance", "pdist"),
    *("pixel_shuffle", "pixel_unshuffle", "prelu", "relu_", "rrelu_"),
    *("scaled_dot_product_attention", "selu_", "softplus", "softshrink", "threshold_"),
)
_SAME_IN_MATH = (
    *("ceil", "copysign", "erf", "erfc", "exp", "expm1", "fabs", "floor", "gamma", "lgamma"),
    *("log", "log10", "log1p", "pow", "sqrt", "isnan", "asinh", "atanh", "acosh", "cosh", "sinh"),
    *("tanh", "acos", "asin", "atan", "atan2", "cos", "sin", "tan", "fmod", "modf", "factorial"),
    *("frexp", "isinf", "degrees", "radians", "ldexp", "gcd", "isfinite"),
)
_SAME_IN_CMATH = (
    *("isnan", "isfinite", "isinf", "log", "log10", "sqrt", "exp", "sin", "tan", "cos", "asin"),
    *("acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
)

OPERATORS: Final[dict[str, str]] = {
    **{f"torch.nn.functional.{name}": f"aten::{name}" for name in _DIRECT_FUNCTIONALS},
    **{f"math.{name}": f"aten::{name}" for name in _SAME_IN_MATH},
    **{f"cmath.{name}": f"aten::{name}" for name in _SAME_IN_CMATH},
    "math.remainder": "aten::mathremainder",
    "cmath.phase": "aten::angle",
    "cmath.rect": "aten::polar",
    "torch.nn.functional.logsigmoid": "aten::log_sigmoid",
    "torch.nn.functional.assert_int_or_pair": "aten::_assert_int_or_pair",
    "torch.nn.functional._list_with_default": "aten::list_with_default",
    "torch.nn.modules.utils._list_with_default": "aten::list_with_default",
    **{
        f"torch.nn.modules.utils.{name}": f"aten::{name}"
        for name in ("_single", "_pair", "_triple", "_quadruple")
    },
    **{
        f"torch.nn.init.{name}": f"aten::{name}"
        for name in ("_no_grad_fill_", "_no_grad_normal_", "_no_grad_uniform_", "_no_grad_zero_")
    },
    "torch._segment_reduce": "aten::segment_reduce",
    "torch.autograd.grad": "aten::grad",
    "torch.autograd.backward": "aten::backward",
    "torch._C._infer_size": "aten::_infer_size",
    "torch._C._get_tracing_state": "aten::_get_tracing_state",
    "torch.jit.is_scripting": "aten::is_scripting",
    "torch.jit._unwrap_optional": "aten::_unwrap_optional",
    "torch.jit.wait": "aten::wait",
    "torch.jit._wait": "aten::wait",
    "torch.jit._awaitable_wait": "prim::awaitable_wait",
    "torch.jit._awaitable_nowait": "prim::awaitable_nowait",
    **{
        f"torch.overrides.has_torch_function{form}": "aten::has_torch_function"
        for form in ("", "_unary", "_variadic")
    },
    "torch.random.manual_seed": "aten::manual_seed",
    "warnings.warn": "aten::warn",
    "collections.OrderedDict": "aten::dict",
}
"""Functions of Python that are operators under another name, or that no rule finds."""

_SAME_IN_FUNCTIONAL = ("stft", "cdist", "norm", "tensordot", "lu", "unique", "unique_consecutive")

LIBRARY_ALIASES: Final[dict[str, str]] = {
    **{f"torch.{name}": f"torch.functional.{name}" for name in _SAME_IN_FUNCTIONAL},
    "torch.nn.functional.threshold": "torch.nn.functional._threshold",
    "torch.jit.is_tracing": "torch.jit._trace.is_tracing",
}
"""Names of library functions that are defined elsewhere; some of them ``aten`` has, too."""

NOT_COMPILED_BY_PYTORCH: Final[frozenset[str]] = frozenset(
    (
        *(f"torch.nn.init.{name}_" for name in ("eye", "dirac", "orthogonal", "sparse")),
        *(f"torch.nn.init.kaiming_{name}" for name in ("uniform", "uniform_", "normal", "normal_")),
        *(f"torch.nn.init.{name}" for name in ("trunc_normal_", "calculate_gain")),
        *(f"torch.nn.init.{name}" for name in ("uniform", "normal", "constant", "eye", "dirac")),
        *(f"torch.nn.init.{name}" for name in ("xavier_uniform", "xavier_normal")),
        *(f"torch.nn.init.{name}" for name in ("orthogonal", "sparse")),
        *("torch.nn.functional.gaussian_nll_loss", "torch.onnx.is_in_onnx_export"),
        *("torch._C._is_tracing", "torch.cuda.is_available", "torch.distributed.is_available"),
    )
)
"""Functions that PyTorch has in Python alone: its compiler refuses their source, or finds none."""

OTHER_ARGUMENTS: Final[frozenset[str]] = frozenset({"torch.stft"})
"""Functions whose arguments are not in the order of the operator's."""

Dispatch = tuple[str, int, "str | Dispatch", "str | Dispatch"]

_POOLINGS: dict[str, int] = {
    **{f"max_pool{dims}d": 6 for dims in (1, 2, 3)},
    **{f"adaptive_max_pool{dims}d": 2 for dims in (1, 2, 3)},
    **{f"fractional_max_pool{dims}d": 4 for dims in (2, 3)},
}

DISPATCHES: Final[dict[str, Dispatch]] = {
    **{
        f"torch.nn.functional.{name}": (
            "return_indices",
            position,
            f"torch.nn.functional.{name}_with_indices",
            f"torch.nn.functional._{name}",
        )
        for name, position in _POOLINGS.items()
    },
    "torch.functional.lu": (
        "get_infos",
        2,
        "torch.functional._lu_with_infos",
        "torch.functional._lu_no_infos",
    ),
    "torch.functional.unique": (
        "return_inverse",
        2,
        (
            "return_counts",
            3,
            "torch.functional._return_inverse_and_counts",
            "torch.functional._return_inverse",
        ),
        (
            "return_counts",
            3,
            "torch.functional._return_counts",
            "torch.functional._return_output",
        ),
    ),
    "torch.functional.unique_consecutive": (
        "return_inverse",
        2,
        (
            "return_counts",
            1,
            "torch.functional._consecutive_return_inverse_and_counts",
            "torch.functional._consecutive_return_inverse",
        ),
        (
            "return_counts",
            1,
            "torch.functional._consecutive_return_counts",
            "torch.functional._consecutive_return_output",
        ),
    ),
}
"""Functions that are one of two others: the deciding flag, its position, if true, if false."""

CONSTANTS: Final[dict[str, object]] = {
    **{f"torch.{name}": info.code for name, info in SCALAR_TYPE_BY_NAME.items()},
    **{f"torch.{name}": code for name, code in (LAYOUTS | MEMORY_FORMATS | QSCHEMES).items()},
    "torch.legacy_contiguous_format": 0,
    "torch.newaxis": None,
    **{f"torch.{name}": getattr(math, name) for name in ("pi", "e", "inf", "nan")},
    **{f"math.{name}": getattr(math, name) for name in ("pi", "e", "tau", "inf", "nan")},
    **{f"cmath.{name}": getattr(cmath, name) for name in ("pi", "e", "tau", "inf", "nan")},
    "cmath.infj": cmath.infj,
    "cmath.nanj": cmath.nanj,
    "typing.TYPE_CHECKING": False,
    "torch.backends.cudnn.enabled": True,
}

CONSTANT_FUNCTIONS: Final[dict[str, object]] = {
    "torch._C._is_tracing": False,
    "torch.onnx.is_in_onnx_export": False,
    "torch.cuda.is_available": False,
    "torch.distributed.is_available": False,
    "torch._jit_internal.is_scripting": True,
}
"""Functions without arguments that always give the same answer here."""

SPECIAL_FORMS: Final[dict[str, str]] = {
    "torch.jit.annotate": "prim::annotate",
    "torch.jit.isinstance": "prim::isinstance",
    "torch._check": "prim::check",
    "torch.jit.fork": "prim::fork",
    "torch.jit._fork": "prim::fork",
    "torch.jit._awaitable": "prim::awaitable",
}

LEGACY_CONSTRUCTORS: Final[dict[str, int]] = {
    "torch.ByteTensor": 0,
    "torch.CharTensor": 1,
    "torch.ShortTensor": 2,
    "torch.IntTensor": 3,
    "torch.LongTensor": 4,
    "torch.HalfTensor": 5,
    "torch.FloatTensor": 6,
    "torch.DoubleTensor": 7,
    "torch.BoolTensor": 11,
}

TYPING_NAMES: Final = frozenset(
    (
        *("Any", "AnyStr", "Callable", "ClassVar", "Dict", "Final", "Generic", "Iterable"),
        *("Iterator", "List", "Literal", "Mapping", "NamedTuple", "NoReturn", "Optional"),
        *("Sequence", "Set", "Tuple", "Type", "TypeVar", "Union", "overload", "cast"),
    )
)
