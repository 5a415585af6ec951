"""What values of a program are in native code: the form of each, told by its type and by where its lists come from.

Lists that a region makes for itself are typed buffers (`is_python` is False); lists that it was given are Python's own,
read and written in place. Which of the two a list is, all values share that may be the same list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tsc.compiler.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STRING,
    ClassType,
    DictType,
    ListType,
    OptionalType,
    TupleType,
    Type,
)

Native = Any
"""A value in LLVM's form: an instruction, a constant, a parameter."""


class NotNative(Exception):
    """Something has no native form; the message says what."""


class Form:
    """How a value is held; `llvm_types` says as what."""

    has_owner = False
    """Whether what it lies in is told with it, and may be the region's own."""


@dataclass(frozen=True, eq=False)
class ScalarForm(Form):
    """A number, a truth value, None."""

    name: str


INTEGER: Final = ScalarForm("int")
REAL: Final = ScalarForm("float")
TRUTH: Final = ScalarForm("bool")
PAIR: Final = ScalarForm("complex")
NOTHING: Final = ScalarForm("None")
TEXT: Final = ScalarForm("str")
NUMBERS: Final = (INTEGER, REAL, TRUTH)

_SCALARS: Final = {
    INT: INTEGER,
    FLOAT: REAL,
    BOOL: TRUTH,
    COMPLEX: PAIR,
    NONE: NOTHING,
    STRING: TEXT,
}


class TupleForm(Form):
    """Values side by side."""

    def __init__(self, items: list[Form], named: TupleType | None = None) -> None:
        """`named` is the type of a named tuple."""
        self.items, self.named = items, named


class OptionalForm(Form):
    """Whether there is a value, and the value."""

    def __init__(self, inner: Form) -> None:
        self.inner = inner


class ListForm(Form):
    """A list; those that were found to be the same share one `_Origin`."""

    def __init__(self, element: Form) -> None:
        self.element = element
        self._same: ListForm | None = None
        self._is_python = self._is_kept = False

    def root(self) -> ListForm:
        found = self
        while found._same is not None:
            found = found._same
        return found

    @property
    def is_python(self) -> bool:
        return self.root()._is_python

    def make_python(self) -> None:
        """The list may be one of Python's, and so may all that is in it."""
        self.root()._is_python = True
        for inner in lists_in(self.element):
            inner.make_python()

    @property
    def is_kept(self) -> bool:
        """Whether it may be in a dictionary, which may let go of it: who reads it there keeps it."""
        return self.root()._is_kept

    def keep(self) -> None:
        self.make_python()
        self.root()._is_kept = True

    def join(self, other: ListForm) -> None:
        """Both may be the same list."""
        mine, theirs = self.root(), other.root()
        if mine is theirs:
            return
        theirs._same = mine
        join(mine.element, theirs.element)
        if theirs._is_python or mine._is_python:
            mine.make_python()
            join(mine.element, theirs.element)
        mine._is_kept |= theirs._is_kept


class DictForm(Form):
    """A dictionary, which is Python's, and so are the lists that are its values."""

    def __init__(self, key: Form, value: Form) -> None:
        """Raises NotNative for other keys than ints and strings, and for values that lead to objects by a detour."""
        if key not in (INTEGER, TEXT):
            raise NotNative("only dictionaries by ints and strings have a native form")
        held = value.element if isinstance(value, ListForm) else value
        if not isinstance(value, DictForm) and leads_to_objects(held):
            raise NotNative("lists of lists, and objects, in dictionaries have no native form")
        self.key, self.value = key, value
        for each in lists_in(value):
            each.keep()


class ObjectForm(Form):
    """An object of a script class, which is Python's; its attributes are read and written where it has them."""


def form_of(type: Type) -> Form:
    """A form for values of a type. Raises `NotNative`."""
    scalar = _SCALARS.get(type)
    if scalar is not None:
        return scalar
    if isinstance(type, ListType):
        return ListForm(form_of(type.element))
    if isinstance(type, TupleType):
        named = None if type.field_names is None else type
        return TupleForm([form_of(each) for each in type.elements], named)
    if isinstance(type, OptionalType):
        return OptionalForm(form_of(type.element))
    if isinstance(type, ClassType):
        return ObjectForm()
    if isinstance(type, DictType):
        return DictForm(form_of(type.key), form_of(type.value))
    raise NotNative(f"values of type {type} have no native form")


def lists_in(form: Form) -> list[ListForm]:
    """The lists that a value of a form leads to at once, not through other lists."""
    if isinstance(form, ListForm):
        return [form]
    if isinstance(form, OptionalForm):
        return lists_in(form.inner)
    if isinstance(form, TupleForm):
        return [each for item in form.items for each in lists_in(item)]
    return []


def is_borrowed(form: Form) -> bool:
    """Whether a value of a form that is in a list of Python's is read where it lies, and not copied out."""
    if isinstance(form, TupleForm):
        return any(map(is_borrowed, form.items))
    if isinstance(form, OptionalForm):
        return is_borrowed(form.inner)
    return form is TEXT or isinstance(form, ListForm | ObjectForm | DictForm)


def leads_to_own_memory(form: Form) -> bool:
    """Whether a value of a form may have lists or letters in it that the region made."""
    if isinstance(form, TupleForm):
        return any(map(leads_to_own_memory, form.items))
    if isinstance(form, OptionalForm):
        return leads_to_own_memory(form.inner)
    is_own_list = isinstance(form, ListForm) and not form.is_python
    return form is TEXT or form.has_owner or is_own_list or is_kept(form)


def is_kept(form: Form) -> bool:
    """Whether a value of a form is an object that the region has a reference of."""
    return isinstance(form, DictForm) or (isinstance(form, ListForm) and form.is_kept)


def leads_to_objects(form: Form) -> bool:
    """Whether there are objects of Python's in a value of a form, apart from strings."""
    if isinstance(form, TupleForm):
        return any(map(leads_to_objects, form.items))
    if isinstance(form, OptionalForm):
        return leads_to_objects(form.inner)
    return isinstance(form, ListForm | ObjectForm | DictForm)


def leads_to_kept(form: Form) -> bool:
    """Whether a value of a form may have such an object in it."""
    if isinstance(form, TupleForm):
        return any(map(leads_to_kept, form.items))
    return leads_to_kept(form.inner) if isinstance(form, OptionalForm) else is_kept(form)


def leads_to(form: Form, list: ListForm) -> bool:
    """Whether a value of a form may be a list, or have it in it."""
    return any(
        each.root() is list.root() or leads_to(each.element, list) for each in lists_in(form)
    )


def join(one: Form, other: Form) -> None:
    """A value of one form may become one of the other: the lists in them may be the same."""
    if isinstance(one, OptionalForm) or isinstance(other, OptionalForm):
        join(_present(one), _present(other)) if NOTHING not in (one, other) else None
    elif isinstance(one, ListForm) and isinstance(other, ListForm):
        one.join(other)
    elif isinstance(one, TupleForm) and isinstance(other, TupleForm):
        for mine, theirs in zip(one.items, other.items):
            join(mine, theirs)
    elif isinstance(one, DictForm) and isinstance(other, DictForm):
        join(one.value, other.value)


def _present(form: Form) -> Form:
    return form.inner if isinstance(form, OptionalForm) else form
