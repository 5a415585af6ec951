"""Values as objects of Python, and back, through the C functions of the interpreter, which holds its lock meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from llvmlite import ir

from tsc.compiler.types import TupleType
from tsc.runtime.native.code.number_layout import (
    BITS_OF_DIGIT,
    BYTES_OF_SMALL_INT,
    CLASS_IN_OBJECT,
    DIGIT_OF_INT,
    DIGITS_OF_WORD,
    FLOAT_IN_OBJECT,
    HEAD_HAS_TAG,
    HEAD_OF_INT,
    ITEMS_OF_TUPLE,
    LENGTH_OF_TUPLE,
    SMALL_INTS,
    SMALL_INTS_ARE_COUNTED,
    WORDS_OF_PASSING_INT,
    numbers_are_as_expected,
    small_ints_lie_in_a_row,
)
from tsc.runtime.native.regions.forms import (
    INTEGER,
    NOTHING,
    PAIR,
    REAL,
    TEXT,
    TRUTH,
    Form,
    ListForm,
    Native,
    OptionalForm,
    TupleForm,
)
from tsc.runtime.native.regions.llvm_types import (
    BIT,
    BYTE,
    DOUBLE,
    INT32,
    POINTER,
    WORD,
    llvm_type,
)
from tsc.runtime.native.regions.own_functions import OwnFunctions

_READERS: Final = {
    "read_int": "PyLong_AsLongLong",
    "read_float": "PyFloat_AsDouble",
    "read_item": "PyTuple_GetItem",
}
"""What reads an object of any class."""
_MANY: Final = 1 << 29
"""References of an object that is not to be let go of, whoever does."""


class PythonObjects(OwnFunctions):
    """Emits the conversions into one function."""

    def __init__(self, module: ir.Module) -> None:
        super().__init__(module)
        self.tuple_names: dict[TupleType, str] = {}
        """What makes named tuples, by type."""

    # -- From Python -------------------------------------------------------------------------

    def unbox(self, form: Form, taken: Native) -> Native:
        """The native value of an object, whose reference stays with whoever has it."""
        builder = self.builder
        if form is INTEGER:
            return self._read_quickly("int", WORD, self._define_int, taken)
        if form is REAL:
            return self._read_quickly("float", DOUBLE, self._define_float, taken)
        if form is TRUTH:
            return builder.icmp_unsigned("==", taken, self.constant("true"))
        if form is NOTHING:
            return ir.Constant(BIT, 0)
        if form is PAIR:
            parts = [self.call(f"PyComplex_{part}AsDouble", taken) for part in ("Real", "Imag")]
            return self.aggregate(form, parts)
        if form is TEXT:
            return self.unbox_text(taken)
        if isinstance(form, TupleForm):
            items = [self._item(taken, k, item) for k, item in enumerate(form.items)]
            return self.aggregate(form, items)
        if isinstance(form, OptionalForm):
            return self._unbox_optional(form, taken)
        if isinstance(form, ListForm) and not form.is_python:
            return self.copied_in(form, taken)
        return taken

    def unbox_input(self, form: Form, taken: Native) -> Native:
        """The same for an input, which is None where nothing will read it."""
        if form in (TRUTH, NOTHING) or isinstance(form, OptionalForm | ListForm):
            return self.unbox(form, taken)
        is_set = self.builder.icmp_unsigned("!=", taken, self.constant("none"))
        return self._chosen(
            is_set, lambda: self.unbox(form, taken), ir.Constant(llvm_type(form), None)
        )

    def _item(self, taken: Native, place: int, form: Form) -> Native:
        number = ir.Constant(WORD, place)
        item = self._read_quickly("item", POINTER, self._define_item, taken, number)
        return self.unbox(form, item)

    def _read_quickly(
        self, name: str, result: ir.Type, define: Callable[[], None], *operands: Native
    ) -> Native:
        """What lies in an object of just one class, at a place that is known; of others the interpreter tells."""

        def defined(name: str) -> ir.Function:
            function = self.begin(name, result, [each.type for each in operands])
            if numbers_are_as_expected():
                define()
            self.builder.ret(self.call(_READERS[name], *function.args))
            return function

        read = self.own_function(f"read_{name}", defined, "alwaysinline")
        return self.builder.call(read, operands)

    def _define_int(self) -> None:
        """One of at most one digit."""
        (taken,) = self.builder.function.args
        head = self.load_at(taken, HEAD_OF_INT, WORD)
        digit = self.load_at(taken, DIGIT_OF_INT, INT32)
        digit = self.builder.zext(digit, WORD)
        if HEAD_HAS_TAG:
            sign = self.builder.sub(
                ir.Constant(WORD, 1), self.builder.and_(head, ir.Constant(WORD, 3))
            )
            is_small = self.builder.icmp_unsigned("<", head, ir.Constant(WORD, 16))
        else:
            sign, above = head, self.builder.add(head, ir.Constant(WORD, 1))
            is_small = self.builder.icmp_unsigned("<=", above, ir.Constant(WORD, 2))
        is_known = self.builder.and_(self._is_just(taken, "int"), is_small)
        with self.builder.if_then(is_known, likely=True):
            self.builder.ret(self.builder.mul(sign, digit))

    def _define_float(self) -> None:
        (taken,) = self.builder.function.args
        with self.builder.if_then(self._is_just(taken, "float"), likely=True):
            self.builder.ret(self.load_at(taken, FLOAT_IN_OBJECT, DOUBLE))

    def _define_item(self) -> None:
        taken, place = self.builder.function.args
        with self.builder.if_then(self._is_just(taken, "tuple"), likely=True):
            length = self.load_at(taken, LENGTH_OF_TUPLE, WORD)
            is_there = self.builder.icmp_unsigned("<", place, length)
            with self.builder.if_then(is_there, likely=True):
                items = self.builder.gep(
                    taken, [ir.Constant(WORD, ITEMS_OF_TUPLE)], source_etype=BYTE
                )
                slot = self.builder.gep(items, [place], source_etype=POINTER)
                self.builder.ret(self.builder.load(slot, typ=POINTER))

    def _is_just(self, taken: Native, name: str) -> Native:
        """Whether an object is of a class, and of none that is derived of it."""
        return self.builder.icmp_unsigned(
            "==", self.load_at(taken, CLASS_IN_OBJECT, POINTER), self.constant(name)
        )

    def _unbox_optional(self, form: OptionalForm, taken: Native) -> Native:
        there = self.builder.icmp_unsigned("!=", taken, self.constant("none"))
        absent = ir.Constant(
            llvm_type(form.inner), None if llvm_type(form.inner) is POINTER else ir.Undefined
        )
        value = self._chosen(there, lambda: self.unbox(form.inner, taken), absent)
        return self.aggregate(form, [there, value])

    def _chosen(self, condition: Native, make: Any, otherwise: Native) -> Native:
        builder = self.builder
        before = builder.block
        with builder.if_then(condition):
            made = make()
            end = builder.block
        phi = builder.phi(made.type)
        phi.add_incoming(otherwise, before)
        phi.add_incoming(made, end)
        return phi

    def aggregate(self, form: Form, parts: Sequence[Native]) -> Native:
        value: Native = ir.Constant(llvm_type(form), ir.Undefined)
        for place, part in enumerate(parts):
            value = self.builder.insert_value(value, part, place)
        return value

    # -- To Python ---------------------------------------------------------------------------

    def box(self, form: Form, value: Native) -> Native:
        """A new reference to an object."""
        builder = self.builder
        if form is INTEGER:
            return self._int_object(value)
        if form is REAL:
            return self.call("PyFloat_FromDouble", value)
        if form is TRUTH:
            chosen = builder.select(value, self.constant("true"), self.constant("false"))
            return self.owned(chosen)
        if form is NOTHING:
            return self.owned(self.constant("none"))
        if form is PAIR:
            parts = [builder.extract_value(value, k) for k in range(2)]
            return self.call("PyComplex_FromDoubles", *parts)
        if form is TEXT:
            return self.box_text(value)
        if isinstance(form, TupleForm):
            items = [builder.extract_value(value, k) for k in range(len(form.items))]
            made = self.tuple_of([self.box(*each) for each in zip(form.items, items)])
            return made if form.named is None else self._named_tuple(form.named, made)
        if isinstance(form, OptionalForm):
            return self._box_optional(form, value)
        is_set = self.builder.icmp_unsigned("!=", value, ir.Constant(POINTER, None))
        otherwise = self.constant("none")
        if not isinstance(form, ListForm) or form.is_python:
            return self.owned(self.builder.select(is_set, value, otherwise))
        return self._chosen(is_set, lambda: self.box_list(form, value), otherwise)

    def _int_object(self, value: Native) -> Native:
        """One that there is already, if it is small."""
        if not small_ints_lie_in_a_row():
            return self.call("PyLong_FromLongLong", value)
        function = self.own_function("int_object", self._define_int_object, "alwaysinline")
        return self.builder.call(function, [value])

    def _define_int_object(self, name: str) -> ir.Function:
        function = self.begin(name, POINTER, [WORD])
        builder, (value,) = self.builder, function.args
        place = builder.sub(value, ir.Constant(WORD, SMALL_INTS.start))
        is_small = builder.icmp_unsigned("<", place, ir.Constant(WORD, len(SMALL_INTS)))
        with builder.if_then(is_small):
            offset = builder.mul(value, ir.Constant(WORD, BYTES_OF_SMALL_INT))
            zero = builder.ptrtoint(self.constant("zero"), WORD)
            found = builder.inttoptr(builder.add(zero, offset), POINTER)
            if SMALL_INTS_ARE_COUNTED:
                count = self.load_at(found, 0, WORD)
                self._store_at(found, 0, builder.add(count, ir.Constant(WORD, 1)))
            builder.ret(found)
        builder.ret(self.call("PyLong_FromLongLong", value))
        return function

    def _passing_int(self, value: Native) -> Native:
        """An int that lies in the frame of the function, for somebody who only looks at it: nobody may keep it."""
        builder, zero = self.builder, ir.Constant(WORD, 0)
        with builder.goto_entry_block():
            made = builder.alloca(POINTER, size=ir.Constant(INT32, WORDS_OF_PASSING_INT))
        is_negative = builder.icmp_signed("<", value, zero)
        size = builder.select(is_negative, builder.neg(value), value)
        count: Native = zero
        for place in range(DIGITS_OF_WORD):
            rest = builder.lshr(size, ir.Constant(WORD, place * BITS_OF_DIGIT))
            count = builder.add(count, builder.zext(builder.icmp_unsigned("!=", rest, zero), WORD))
            digit = builder.and_(rest, ir.Constant(WORD, (1 << BITS_OF_DIGIT) - 1))
            self._store_at(made, DIGIT_OF_INT + 4 * place, builder.trunc(digit, INT32))
        if HEAD_HAS_TAG:
            is_zero = builder.zext(builder.icmp_unsigned("==", size, zero), WORD)
            sign = builder.select(is_negative, ir.Constant(WORD, 2), is_zero)
            head = builder.or_(builder.shl(count, ir.Constant(WORD, 3)), sign)
        else:
            head = builder.select(is_negative, builder.neg(count), count)
        self._store_at(made, 0, ir.Constant(WORD, _MANY))
        self._store_at(made, CLASS_IN_OBJECT, self.constant("int"))
        self._store_at(made, HEAD_OF_INT, head)
        return made

    def _store_at(self, object: Native, offset: int, value: Native) -> None:
        place = self.builder.gep(object, [ir.Constant(WORD, offset)], source_etype=BYTE)
        self.builder.store(value, place)

    def _named_tuple(self, type: TupleType, items: Native) -> Native:
        made = self.call("PyObject_CallOneArg", self.constant(self.tuple_names[type]), items)
        self.call("Py_DecRef", items)
        return made

    def copied_in(self, form: ListForm, taken: Native) -> Native:
        """An own list with what is in one of Python's, which stands for it."""
        raise NotImplementedError

    def unbox_text(self, taken: Native) -> Native:
        """The letters of a string."""
        raise NotImplementedError

    def box_text(self, text: Native) -> Native:
        """A string of Python's with these letters."""
        raise NotImplementedError

    def box_list(self, form: ListForm, value: Native) -> Native:
        """A list of Python's with what is in a list of the region's own."""
        raise NotImplementedError

    def owned(self, taken: Native) -> Native:
        self.call("Py_IncRef", taken)
        return taken

    def _box_optional(self, form: OptionalForm, value: Native) -> Native:
        builder = self.builder
        there, inner = (builder.extract_value(value, k) for k in range(2))
        with builder.if_else(there) as (then, otherwise):
            with then:
                made = self.box(form.inner, inner)
                made_in = builder.block
            with otherwise:
                none = self.owned(self.constant("none"))
                none_in = builder.block
        phi = builder.phi(POINTER)
        phi.add_incoming(made, made_in)
        phi.add_incoming(none, none_in)
        return phi

    def tuple_of(self, items: Sequence[Native]) -> Native:
        """A new tuple, which takes over the references."""
        made = self.call("PyTuple_New", ir.Constant(WORD, len(items)))
        for place, item in enumerate(items):
            self.call("PyTuple_SetItem", made, ir.Constant(WORD, place), item)
        return made
