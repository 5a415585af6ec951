"""Calls in the form in which Python makes them: archives and traces hold some operators in another one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from tsc.compiler.schema import Operator
from tsc.runtime.operators import load

_Form: TypeAlias = "tuple[str, str, list[Any]]"
"""A name, an overload, and all arguments."""


def as_called(operator: Operator, values: Sequence[Any]) -> tuple[Operator, Sequence[Any]]:
    """The operator, and its arguments, as which ``torch.export`` (PyTorch 2.13) sees a call of Python."""
    rewrite = _FORMS.get(operator.qualified_name)
    form = None if rewrite is None else rewrite(*values)
    if form is None:
        return operator, values
    name, overload, arguments = form
    found = load().find(name, overload)
    assert found is not None, name
    return found, arguments


def _convolution(
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: Any,
    *_flags: bool,
) -> _Form:
    """What a trace holds for a layer of any number of dimensions, transposed or not."""
    space = len(stride)
    if not transposed:
        given = [input, weight, bias, stride, padding, dilation, groups]
        return f"aten::conv{space}d", "", given
    overload = "" if space == 1 else "input"
    given = [input, weight, bias, stride, padding, output_padding, groups, dilation]
    return f"aten::conv_transpose{space}d", overload, given


def _scaled(name: str, *, aligns: bool) -> Callable[..., _Form | None]:
    """Interpolation by factors, if they are told, or else to sizes."""

    def form(input: Any, output_size: Any, *options: Any) -> _Form:
        corners = list(options[:1]) if aligns else []
        scales = [each for each in options[len(corners) :] if each is not None]
        sizes = None if scales else output_size
        return f"aten::{name}", "vec", [input, sizes, *corners, scales or None]

    return form


def _split(self: Any, sizes: Any, dim: Any) -> _Form:
    return "aten::split_with_sizes", "", [self, sizes, dim]


def _corrected(name: str) -> Callable[..., _Form | None]:
    """Statistics of all elements with the usual correction, which Python calls by its name."""

    def form(self: Any, unbiased: bool) -> _Form | None:
        return (f"aten::{name}", "correction", [self, None, None, False]) if unbiased else None

    return form


def _norm(self: Any, p: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> _Form:
    """``torch.norm`` is a function of Python that calls another operator, by methods of tensors, too."""
    return "aten::linalg_vector_norm", "", [self, 2.0 if p is None else p, dim, keepdim, dtype]


def _norm_of_all(self: Any, p: Any, dtype: Any = None) -> _Form:
    return _norm(self, p, dtype=dtype)


def _frobenius_norm(self: Any, dim: Any, keepdim: bool) -> _Form:
    return _norm(self, 2, dim, keepdim)


_FORMS: Final[dict[str, Callable[..., _Form | None]]] = {
    "aten::_convolution": _convolution,
    "aten::_convolution.deprecated": _convolution,
    **{f"aten::{name}": _corrected(name) for name in ("std", "var", "std_mean", "var_mean")},
    **dict.fromkeys(("aten::norm.Scalar", "aten::norm.ScalarOpt_dtype"), _norm_of_all),
    **dict.fromkeys(("aten::norm.ScalarOpt_dim", "aten::norm.ScalarOpt_dim_dtype"), _norm),
    "aten::frobenius_norm.dim": _frobenius_norm,
    "aten::split.sizes": _split,
    "aten::split": _split,
    **{
        f"aten::upsample_{name}": _scaled(f"upsample_{name}", aligns=False)
        for name in ("nearest1d", "nearest2d", "nearest3d")
    },
    **{
        f"aten::upsample_{name}": _scaled(f"upsample_{name}", aligns=True)
        for name in ("linear1d", "bilinear2d", "bicubic2d", "trilinear3d")
    },
}
