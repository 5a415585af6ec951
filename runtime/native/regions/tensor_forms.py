"""What tensors are in native code: views of memory that was given, and single elements that lie in none.

Dtype and rank are known when code is made, as guards at the entry find them; sizes and strides are values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from tsc.compiler.ir import Value
from tsc.runtime.arrays.dtypes import BOOL
from tsc.runtime.native.expressions.instructions import NotLowered, is_floating, register_type
from tsc.runtime.native.regions.forms import (
    INTEGER,
    REAL,
    TRUTH,
    Form,
    ListForm,
    NotNative,
    ScalarForm,
    TupleForm,
)

TensorSpec = tuple[np.dtype, int]
"""The dtype and the rank of a tensor."""
TensorSpecs = Mapping[Value, TensorSpec]


class Memory:
    """What a tensor lies in; tensors that were found to be perhaps the same share one."""

    def __init__(self, *roots: Value) -> None:
        """`roots` are the inputs of the graph that it may be a part of."""
        self._same: Memory | None = None
        self._roots = set(roots)
        self._is_needed = bool(roots)
        self._results = self._rank = 0

    def _first(self) -> Memory:
        found = self
        while found._same is not None:
            found = found._same
        return found

    @property
    def roots(self) -> set[Value]:
        return self._first()._roots

    @property
    def is_needed(self) -> bool:
        """Whether it makes a difference which memory it is: it is written, or an input's, or given away twice."""
        first = self._first()
        return first._is_needed or first._results > 1

    def is_same(self, other: Memory) -> bool:
        return self._first() is other._first()

    def need(self) -> None:
        self._first()._is_needed = True

    @property
    def own_rank(self) -> int:
        """That of the new tensors which lie in it: parts of these have no objects."""
        return self._first()._rank

    def hold_new(self, rank: int) -> None:
        first = self._first()
        first._rank, first._is_needed = max(first._rank, rank), True

    def give_away(self) -> None:
        """What lies in it is a result."""
        self._first()._results += 1

    def join(self, other: Memory) -> None:
        """Both may be the same."""
        mine, theirs = self._first(), other._first()
        if mine is not theirs:
            theirs._same = mine
            mine._roots |= theirs._roots
            mine._results += theirs._results
            mine._is_needed |= theirs._is_needed
            mine._rank = max(mine._rank, theirs._rank)


class TensorForm(Form):
    """A view of a tensor: where it begins, its sizes, its strides in bytes, and what owns the memory."""

    has_owner = True

    def __init__(self, dtype: np.dtype, rank: int, memory: Memory) -> None:
        """Raises NotNative for other dtypes than native ones."""
        check_element(dtype)
        self.dtype, self.rank, self.memory = dtype, rank, memory

    @property
    def owner(self) -> int:
        """The place of the owner among what it is held as."""
        return 1 + 2 * self.rank


class ElementForm(Form):
    """A tensor without dimensions that a region has made; where its memory is needed, it becomes a `TensorForm`."""

    rank: Final = 0

    def __init__(self, dtype: np.dtype) -> None:
        """Raises NotNative for other dtypes than native ones."""
        check_element(dtype)
        self.dtype, self.memory = dtype, Memory()


class UnsetForm(Form):
    """A tensor that was never set, as far as is known."""

    def __init__(self, origin: Value | None = None) -> None:
        """`origin` is the list that it would be in."""
        self.origin = origin


class KnownForm(Form):
    """What is known when code is made: a dtype, a device."""

    def __init__(self, content: Any) -> None:
        self.content = content


def check_element(dtype: np.dtype) -> None:
    """Raises NotNative."""
    try:
        register_type(dtype)
    except NotLowered:
        raise NotNative(f"elements of dtype {dtype} have no native form") from None


def number_form(dtype: np.dtype) -> ScalarForm:
    """What the number of an element is."""
    if dtype == BOOL:
        return TRUTH
    return REAL if is_floating(dtype) else INTEGER


def is_small(form: Form) -> bool:
    """Whether it is a tensor of no or one dimension."""
    return isinstance(form, TensorForm | ElementForm) and form.rank <= 1


def is_single(form: Form) -> bool:
    """Whether it is a tensor without dimensions."""
    return isinstance(form, ElementForm) or (isinstance(form, TensorForm) and form.rank == 0)


def joined_tensors(forms: Sequence[Form]) -> Form:
    """What may be any of some tensors. Raises NotNative for tensors of several dtypes or ranks."""
    forms = [each for each in forms if not isinstance(each, UnsetForm)]
    if not forms:
        return UnsetForm()
    first, *others = forms
    for each in others:
        join_tensors(first, each)
    if not isinstance(first, TensorForm | ElementForm):
        raise NotNative("a tensor may be something else")
    if all(isinstance(each, ElementForm) for each in forms):
        made: TensorForm | ElementForm = ElementForm(first.dtype)
        made.memory.join(first.memory)
        return made
    return TensorForm(first.dtype, first.rank, first.memory)


def join_tensors(one: Form, other: Form) -> None:
    """Both may be the same tensor. Raises NotNative where they cannot be held alike."""
    if isinstance(one, UnsetForm):
        return
    if not isinstance(one, TensorForm | ElementForm) or not isinstance(
        other, TensorForm | ElementForm
    ):
        raise NotNative("a tensor may be something else")
    if one.dtype != other.dtype or one.rank != other.rank:
        raise NotNative("a tensor may be of several dtypes or ranks")
    one.memory.join(other.memory)
    check_has_object(one)


def check_has_object(form: TensorForm | ElementForm) -> None:
    """Raises NotNative for what may be a part of a new tensor, which would have to be one object with the whole."""
    if form.rank < form.memory.own_rank:
        raise NotNative("a part of a new tensor is kept")


def new_tensor(dtype: np.dtype, rank: int) -> Form:
    """The form of a tensor that a region makes."""
    if rank == 0:
        return ElementForm(dtype)
    made = TensorForm(dtype, rank, Memory())
    made.memory.hold_new(rank)
    return made


def settled_form(form: Form) -> Form:
    """The form once all is known of where tensors lie."""
    if isinstance(form, ElementForm) and form.memory.is_needed:
        return TensorForm(form.dtype, 0, form.memory)
    if isinstance(form, TupleForm):
        form.items = [settled_form(each) for each in form.items]
    if isinstance(form, ListForm):
        form.element = settled_form(form.element)
    return form
