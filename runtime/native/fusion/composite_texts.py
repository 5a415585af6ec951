"""The parts of composite operators as graphs, for what their arguments were in a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tsc.compiler.ir import Node, Value, is_constant
from tsc.runtime.arrays.dtypes import BOOL
from tsc.runtime.native.expressions.instructions import NotLowered

_GATES: Final = """
graph(%x : Tensor, %h : Tensor, {state}%w_ih : Tensor, %w_hh : Tensor, %b_ih : Tensor?, %b_hh : Tensor?):
  %last : int = prim::Constant[value=-1]()
  %one : int = prim::Constant[value=1]()
  %count : int = prim::Constant[value={count}]()
  %given : Tensor = aten::linear(%x, %w_ih, %b_ih)
  %before : Tensor = aten::linear(%h, %w_hh, %b_hh)
"""
LSTM: Final = (
    _GATES.format(state="%c : Tensor, ", count=4)
    + """
  %sums : Tensor = aten::add(%given, %before, %one)
  %gates : Tensor[] = aten::chunk(%sums, %count, %last)
  %g0 : Tensor, %g1 : Tensor, %g2 : Tensor, %g3 : Tensor = prim::ListUnpack(%gates)
  %in : Tensor = aten::sigmoid(%g0)
  %forget : Tensor = aten::sigmoid(%g1)
  %new : Tensor = aten::tanh(%g2)
  %out : Tensor = aten::sigmoid(%g3)
  %kept : Tensor = aten::mul(%forget, %c)
  %taken : Tensor = aten::mul(%in, %new)
  %cell : Tensor = aten::add(%kept, %taken, %one)
  %shown : Tensor = aten::tanh(%cell)
  %hidden : Tensor = aten::mul(%out, %shown)
  return (%hidden, %cell)
"""
)
GRU: Final = (
    _GATES.format(state="", count=3)
    + """
  %of_x : Tensor[] = aten::chunk(%given, %count, %last)
  %x0 : Tensor, %x1 : Tensor, %x2 : Tensor = prim::ListUnpack(%of_x)
  %of_h : Tensor[] = aten::chunk(%before, %count, %last)
  %h0 : Tensor, %h1 : Tensor, %h2 : Tensor = prim::ListUnpack(%of_h)
  %resetting : Tensor = aten::add(%x0, %h0, %one)
  %reset : Tensor = aten::sigmoid(%resetting)
  %updating : Tensor = aten::add(%x1, %h1, %one)
  %update : Tensor = aten::sigmoid(%updating)
  %known : Tensor = aten::mul(%reset, %h2)
  %made : Tensor = aten::add(%x2, %known, %one)
  %new : Tensor = aten::tanh(%made)
  %rest : Tensor = aten::sub(%h, %new, %one)
  %kept : Tensor = aten::mul(%rest, %update)
  %hidden : Tensor = aten::add(%kept, %new, %one)
  return (%hidden)
"""
)


# -- Attention ---------------------------------------------------------------------------------

_ATTENTION: Final = """
graph(%q : Tensor, %k : Tensor, %v : Tensor{parameter}):
  %last : int = prim::Constant[value=-1]()
  %rows : int = prim::Constant[value=-2]()
  %one : int = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %yes : bool = prim::Constant[value=1]()
  %lowest : float = prim::Constant[value=-inf]()
  %nothing : float = prim::Constant[value=0.]()
  %columns : Tensor = aten::transpose(%k, %rows, %last)
  %products : Tensor = aten::matmul(%q, %columns)
{scaling}
{mask}
  %weights : Tensor = aten::softmax(%shown, %last, %none)
{emptying}
  %result : Tensor = aten::matmul({weights}, %v)
  return (%result)
"""
_BY_WIDTH: Final = """
  %width : int = aten::size(%q, %last)
  %root : float = aten::sqrt(%width)
  %scores : Tensor = aten::div(%products, %root)
"""
_BY_SCALE: Final = """
  %scale : float = prim::Constant[value={scale}]()
  %scores : Tensor = aten::mul(%products, %scale)
"""
_CAUSAL: Final = """
  %queries : int = aten::size(%q, %rows)
  %keys : int = aten::size(%k, %rows)
  %places : Tensor = aten::arange(%queries, %none, %none, %none, %none)
  %place : Tensor = aten::unsqueeze(%places, %one)
  %others : Tensor = aten::arange(%keys, %none, %none, %none, %none)
  %is_later : Tensor = aten::gt(%others, %place)
  %shown : Tensor = aten::masked_fill(%scores, %is_later, %lowest)
"""
_OF_TRUTHS: Final = """
  %is_hidden : Tensor = aten::logical_not(%mask)
  %shown : Tensor = aten::masked_fill(%scores, %is_hidden, %lowest)
"""
_OF_NUMBERS: Final = """
  %shown : Tensor = aten::add(%scores, %mask, %one)
"""
_EMPTYING: Final = """
  %along : int[] = prim::ListConstruct(%last)
  %largest : Tensor = aten::amax(%shown, %along, %yes)
  %is_empty : Tensor = aten::eq(%largest, %lowest)
  %filled : Tensor = aten::masked_fill(%weights, %is_empty, %nothing)
"""
"""Where a mask hides all, weights are zero."""


def attention_text(node: Node, value: Callable[[Value], Any]) -> str:
    """Of queries, keys and values, and a mask, if there is one."""
    mask, _, is_causal, scale = (value(each) for each in node.inputs[3:7])
    scaling = _BY_WIDTH if scale is None else _BY_SCALE.format(scale=float(scale))
    if mask is None:
        hiding = _CAUSAL if is_causal else ""
        if not is_causal:
            scaling = scaling.replace("%scores", "%shown")
        return _ATTENTION.format(
            parameter="", scaling=scaling, mask=hiding, emptying="", weights="%weights"
        )
    if is_causal:
        raise NotLowered
    return _ATTENTION.format(
        parameter=", %mask : Tensor",
        scaling=scaling,
        mask=_OF_TRUTHS if mask.array.dtype == BOOL else _OF_NUMBERS,
        emptying=_EMPTYING,
        weights="%filled",
    )


# -- Losses of classes -------------------------------------------------------------------------

_CHOSEN: Final = """
graph(%x : Tensor, %names : Tensor):
  %one : int = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %no : bool = prim::Constant[value=0]()
  %nothing : float = prim::Constant[value=0.]()
  %ignored : int = prim::Constant[value={ignored}]()
{logarithms}
  %places : Tensor = aten::unsqueeze(%names, %one)
  %found : Tensor = aten::gather(%likely, %one, %places, %no)
  %chosen : Tensor = aten::squeeze(%found, %one)
  %every : Tensor = aten::neg(%chosen)
{ending}
  return (%loss)
"""
_LOGARITHMS: Final = "  %likely : Tensor = aten::log_softmax(%x, %one, %none)"
_KEPT: Final = """
  %is_ignored : Tensor = aten::eq(%names, %ignored)
  %kept : Tensor = aten::masked_fill(%every, %is_ignored, %nothing)
"""
_MEAN_OF_KEPT: Final = """
  %ones : Tensor = aten::ones_like(%every, %none, %none, %none, %none, %none)
  %counted : Tensor = aten::masked_fill(%ones, %is_ignored, %nothing)
  %total : Tensor = aten::sum(%kept, %none)
  %count : Tensor = aten::sum(%counted, %none)
  %loss : Tensor = aten::div(%total, %count)
"""
_NO_REDUCTION, _MEAN = 0, 1


def chosen_text(node: Node, value: Callable[[Value], Any]) -> str:
    """The likelihoods of named classes; a name that is ignored, and is no class, is left to the operators."""
    names, reduction, ignored = (value(node.inputs[place]) for place in (1, 3, 4))
    x = value(node.inputs[0])
    if x.array.ndim != names.array.ndim + 1 or x.array.ndim < 2:
        raise NotLowered
    verb = "mean" if reduction == _MEAN else "sum"
    if reduction == _NO_REDUCTION and ignored < 0:
        ending = ""
    elif ignored < 0:
        ending = f"  %loss : Tensor = aten::{verb}(%every, %none)"
    elif reduction == _NO_REDUCTION:
        ending = _KEPT.replace("%kept", "%loss")
    elif reduction == _MEAN:
        ending = _KEPT + _MEAN_OF_KEPT
    else:
        ending = _KEPT + "  %loss : Tensor = aten::sum(%kept, %none)"
    text = _CHOSEN.format(
        ignored=ignored,
        ending=ending,
        logarithms=_LOGARITHMS if node.kind == "aten::cross_entropy_loss" else "",
    )
    if node.kind != "aten::cross_entropy_loss":
        text = text.replace("%likely", "%x")
    return text if ending else text.replace("%every", "%loss")


# -- Cross products ----------------------------------------------------------------------------

_CROSS: Final = """
graph(%a : Tensor, %b : Tensor):
  %axis : int = prim::Constant[value={axis}]()
  %zero : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %two : int = prim::Constant[value=2]()
  %a0 : Tensor = aten::select(%a, %axis, %zero)
  %a1 : Tensor = aten::select(%a, %axis, %one)
  %a2 : Tensor = aten::select(%a, %axis, %two)
  %b0 : Tensor = aten::select(%b, %axis, %zero)
  %b1 : Tensor = aten::select(%b, %axis, %one)
  %b2 : Tensor = aten::select(%b, %axis, %two)
  %p0 : Tensor = aten::mul(%a1, %b2)
  %q0 : Tensor = aten::mul(%a2, %b1)
  %p1 : Tensor = aten::mul(%a2, %b0)
  %q1 : Tensor = aten::mul(%a0, %b2)
  %p2 : Tensor = aten::mul(%a0, %b1)
  %q2 : Tensor = aten::mul(%a1, %b0)
  %x : Tensor = aten::sub(%p0, %q0, %one)
  %y : Tensor = aten::sub(%p1, %q1, %one)
  %z : Tensor = aten::sub(%p2, %q2, %one)
  %parts : Tensor[] = prim::ListConstruct(%x, %y, %z)
  %result : Tensor = aten::stack(%parts, %axis)
  return (%result)
"""


def cross_text(node: Node, value: Callable[[Value], Any]) -> str:
    """Along a dimension; where none is told, the first of three elements."""
    a, b, axis = (value(each) for each in node.inputs)
    if a.array.ndim != b.array.ndim:
        raise NotLowered
    if axis is None:
        axis = a.array.shape.index(3)
    return _CROSS.format(axis=axis % a.array.ndim)


# -- Contractions of several tensors -----------------------------------------------------------


def contraction_text(node: Node, value: Callable[[Value], Any]) -> str:
    """Of the first two tensors, then of what that gives and the next one, and so on."""
    before, arrow, result = value(node.inputs[0]).replace(" ", "").partition("->")
    terms = before.split(",")
    if not arrow or "." in before:
        raise NotLowered
    names = [f"%t{place}" for place in range(len(terms))]
    lines = [f"graph({', '.join(f'{each} : Tensor' for each in names)}):"]
    lines.append("  %none : NoneType = prim::Constant()")
    known, name = terms[0], names[0]
    for place in range(1, len(terms)):
        wanted = set("".join([result, *terms[place + 1 :]]))
        both = dict.fromkeys(known + terms[place])
        is_last = place == len(terms) - 1
        left = result if is_last else "".join(each for each in both if each in wanted)
        made = f"%made{place}"
        equation = f'prim::Constant[value="{known},{terms[place]}->{left}"]()'
        lines.append(f"  %equation{place} : str = {equation}")
        lines.append(f"  %pair{place} : Tensor[] = prim::ListConstruct({name}, {names[place]})")
        lines.append(f"  {made} : Tensor = aten::einsum(%equation{place}, %pair{place}, %none)")
        known, name = left, made
    return "\n".join([*lines, f"  return ({name})", ""])


# -- Averages of whole images ------------------------------------------------------------------

_AVERAGE: Final = """
graph(%x : Tensor):
  %none : NoneType = prim::Constant()
  %yes : bool = prim::Constant[value=1]()
{axes}
  %along : int[] = prim::ListConstruct({names})
  %result : Tensor = aten::mean(%x, %along, %yes, %none)
  return (%result)
"""


def average_text(node: Node, value: Callable[[Value], Any]) -> str:
    """Of images that become one element."""
    sizes: list[int] = value(node.inputs[1])
    if any(each != 1 for each in sizes):
        raise NotLowered
    axes = [f"  %a{each} : int = prim::Constant[value={-1 - each}]()" for each in range(len(sizes))]
    names = ", ".join(f"%a{each}" for each in range(len(sizes)))
    return _AVERAGE.format(axes="\n".join(axes), names=names)


# -- One number at named places ----------------------------------------------------------------

_SCATTERED: Final = """
graph(%x : Tensor, %names : Tensor):
  %none : NoneType = prim::Constant()
  %axis : int = prim::Constant[value={axis}]()
  %dtype : int = prim::Constant[value={dtype}]()
  %number : {type} = prim::Constant[value={number}]()
  %source : Tensor = aten::full_like(%names, %number, %dtype, %none, %none, %none, %none)
  %result : Tensor = aten::scatter(%x, %axis, %names, %source)
  return (%result)
"""


def scattered_text(node: Node, value: Callable[[Value], Any]) -> str:
    """As a tensor of that number. Raises NotLowered for a number that is not known before."""
    x, axis, _, number = (value(each) for each in node.inputs)
    if not is_constant(node.inputs[3]):
        raise NotLowered
    return _SCATTERED.format(
        axis=axis,
        dtype=x.dtype.code,
        type=type(number).__name__,
        number=int(number) if isinstance(number, bool) else number,
    )


# -- Of determinants and vectors ---------------------------------------------------------------

LOGARITHM_OF_DETERMINANT: Final = """
graph(%x : Tensor):
  %size : Tensor = aten::linalg_det(%x)
  %result : Tensor = aten::log(%size)
  return (%result)
"""
OUTER: Final = """
graph(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %column : Tensor = aten::unsqueeze(%x, %one)
  %result : Tensor = aten::mul(%column, %y)
  return (%result)
"""
DOT: Final = """
graph(%x : Tensor, %y : Tensor):
  %none : NoneType = prim::Constant()
  %products : Tensor = aten::mul(%x, %y)
  %result : Tensor = aten::sum(%products, %none)
  return (%result)
"""


# -- Distances and triangles -------------------------------------------------------------------

_DISTANCES: Final = """
graph(%x : Tensor, %y : Tensor):
  %none : NoneType = prim::Constant()
  %no : bool = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %last : int = prim::Constant[value=-1]()
  %rows : int = prim::Constant[value=-2]()
  %stacks : int = prim::Constant[value=-3]()
  %along : int[] = prim::ListConstruct(%last)
  %of_x : Tensor = aten::unsqueeze(%x, %rows)
  %of_y : Tensor = aten::unsqueeze(%y, %stacks)
  %apart : Tensor = aten::sub(%of_x, %of_y, %one)
  %squares : Tensor = aten::mul(%apart, %apart)
  %sums : Tensor = aten::sum(%squares, %along, %no, %none)
  %result : Tensor = aten::sqrt(%sums)
  return (%result)
"""
_MOST_ROWS_APART: Final = 25
"""More are multiplied with each other."""


def distances_text(node: Node, value: Callable[[Value], Any]) -> str:
    """Of few rows, by squares. Raises NotLowered."""
    x, y, power, mode = (value(each) for each in node.inputs)
    rows = max(each.array.shape[-2] for each in (x, y))
    if power != 2.0 or mode not in (None, 0) or rows > _MOST_ROWS_APART:
        raise NotLowered
    return _DISTANCES


_TRIANGLE: Final = """
graph(%x : Tensor):
  %none : NoneType = prim::Constant()
  %nothing : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %diagonal : int = prim::Constant[value={diagonal}]()
  %row_count : int = prim::Constant[value={rows}]()
  %column_count : int = prim::Constant[value={columns}]()
  %all_rows : Tensor = aten::arange(%row_count, %none, %none, %none, %none)
  %column : Tensor = aten::unsqueeze(%all_rows, %one)
  %all_columns : Tensor = aten::arange(%column_count, %none, %none, %none, %none)
  %above : Tensor = aten::sub(%all_columns, %column, %one)
  %is_away : Tensor = aten::{comparison}(%above, %diagonal)
  %result : Tensor = aten::masked_fill(%x, %is_away, %nothing)
  return (%result)
"""


def triangle_text(node: Node, value: Callable[[Value], Any]) -> str:
    """Of a matrix, or each of a stack."""
    x, diagonal = (value(each) for each in node.inputs)
    rows, columns = x.array.shape[-2:]
    comparison = "lt" if node.kind == "aten::triu" else "gt"
    return _TRIANGLE.format(diagonal=diagonal, rows=rows, columns=columns, comparison=comparison)
