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
    """Statistics with the usual correction, which Python calls by its name."""

    def form(self: Any, *options: Any) -> _Form | None:
        dim, unbiased, keepdim = options if len(options) == 3 else (None, options[0], False)
        if not unbiased:
            return None
        return f"aten::{name}", "correction", [self, dim, None, keepdim]

    return form


_FORMS: Final[dict[str, Callable[..., _Form | None]]] = {
    "aten::_convolution": _convolution,
    "aten::_convolution.deprecated": _convolution,
    **{
        f"aten::{name}{overload}": _corrected(name)
        for name in ("std", "var", "std_mean", "var_mean")
        for overload in ("", ".dim")
    },
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
