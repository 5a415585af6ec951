"""Lists that a region made and nobody can reach any more: they are freed between turns of a loop, when many were made.

What can be reached begins with the values that the next turn may read. So lists cost nothing but their memory, and a
loop that makes new ones in each turn needs at most about twice what it holds.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from tsc.runtime.native.regions.forms import (
    TEXT,
    Form,
    ListForm,
    Native,
    OptionalForm,
    TupleForm,
    is_kept,
    leads_to_own_memory,
)
from tsc.runtime.native.regions.list_memory import (
    BYTES,
    CAPACITY,
    CHAIN,
    DATA,
    FEWEST_BYTES,
    LENGTH,
    LIMIT,
    MADE,
    MARK,
    NEXT,
    OBJECT,
    REFERENCE,
    ListMemory,
)
from tsc.runtime.native.regions.llvm_types import OWNER, POINTER, WORD
from tsc.runtime.native.regions.tensor_forms import TensorForm


class ListCollection(ListMemory):
    """Emits the freeing of lists that cannot be reached."""

    def collect_lists(self, roots: Sequence[tuple[Form, Native]]) -> None:
        """Free what `roots` do not lead to, if enough was made since the last time."""
        builder = self.builder
        made = builder.load(self.chain_place(self.chain, MADE), typ=WORD)
        limit = builder.load(self.chain_place(self.chain, LIMIT), typ=WORD)
        with builder.if_then(builder.icmp_unsigned(">", made, limit), likely=False):
            for form, value in roots:
                self._mark(form, value)
            sweep = self.own_function("list_sweep", self._define_sweep)
            builder.call(sweep, [self.chain])

    def _mark(self, form: Form, value: Native) -> None:
        """A value can be reached."""
        if not leads_to_own_memory(form):
            return
        if form is TEXT:
            self._mark_owner(self.builder.extract_value(value, OWNER))
        elif isinstance(form, TensorForm):
            self._mark_owner(self.builder.extract_value(value, form.owner))
        elif isinstance(form, TupleForm):
            for place, item in enumerate(form.items):
                self._mark(item, self.builder.extract_value(value, place))
        elif isinstance(form, OptionalForm):
            self._mark(form.inner, self.builder.extract_value(value, 1))
        elif is_kept(form):
            mark = self.own_function("object_mark", self._define_mark_object)
            self.builder.call(mark, [self.chain, value])
        elif isinstance(form, ListForm):
            name = f"list_mark_{self.number_of(form)}"
            function = self.own_function(name, lambda name: self._define_mark(name, form))
            self.builder.call(function, [value])

    def _mark_owner(self, owner: Native) -> None:
        """What a string or a tensor is in; there is nothing where the region did not make it."""
        is_own = self.builder.icmp_unsigned("!=", owner, ir.Constant(POINTER, None))
        is_own = self.builder.and_(is_own, self.builder.not_(self.is_python_owner(owner)))
        with self.builder.if_then(is_own):
            self.builder.store(ir.Constant(WORD, 1), self.place(owner, MARK))

    def is_python_owner(self, owner: Native) -> Native:
        """Whether what a string is in is one of Python's, which is told by a byte more: lists lie at even places."""
        number = self.builder.ptrtoint(owner, WORD)
        odd = self.builder.and_(number, ir.Constant(WORD, 1))
        return self.builder.icmp_unsigned("!=", odd, ir.Constant(WORD, 0))

    def _define_mark(self, name: str, form: ListForm) -> ir.Function:
        function = self.begin(name, ir.VoidType(), [POINTER])
        (list,) = function.args
        builder = self.builder
        with builder.if_then(builder.icmp_unsigned("==", list, ir.Constant(POINTER, None))):
            builder.ret_void()
        known = self.field(list, MARK)
        with builder.if_then(builder.icmp_unsigned("!=", known, ir.Constant(WORD, 0))):
            builder.ret_void()
        builder.store(ir.Constant(WORD, 1), self.place(list, MARK))
        if leads_to_own_memory(form.element):
            self.repeat(
                self.field(list, LENGTH),
                lambda place: self._mark(
                    form.element, self.loaded(form.element, self.slot(form, list, place))
                ),
            )
        builder.ret_void()
        return function

    def _define_mark_object(self, name: str) -> ir.Function:
        """All references of an object are needed. There are few objects that code holds."""
        function = self.begin(name, ir.VoidType(), [POINTER, POINTER])
        chain, wanted = function.args

        def marked(list: Native) -> None:
            is_it = self.builder.icmp_unsigned("==", self.field(list, OBJECT), wanted)
            with self.builder.if_then(is_it):
                self.builder.store(ir.Constant(WORD, 1), self.place(list, MARK))

        self.for_each_list(chain, marked)
        self.builder.ret_void()
        return function

    def _define_sweep(self, name: str) -> ir.Function:
        """Frees what is not marked; the next time is when as much has been made as is left."""
        function = self.begin(name, ir.VoidType(), [POINTER])
        (chain,) = function.args
        builder, zero = self.builder, ir.Constant(WORD, 0)
        first = self.chain_place(chain, CHAIN)
        before = builder.block
        head, turn, keep, drop, after = (
            builder.append_basic_block(each) for each in ("head", "turn", "keep", "drop", "after")
        )
        builder.branch(head)
        builder.position_at_end(head)
        link, held = builder.phi(POINTER), builder.phi(WORD)
        list = builder.load(link, typ=POINTER)
        builder.cbranch(builder.icmp_unsigned("==", list, ir.Constant(POINTER, None)), after, turn)
        builder.position_at_end(turn)
        is_marked = builder.icmp_unsigned("!=", self.field(list, MARK), zero)
        object = self.field(list, OBJECT)
        is_given = builder.and_(
            builder.icmp_unsigned("!=", object, ir.Constant(POINTER, None)),
            builder.icmp_signed("!=", self.field(list, CAPACITY), ir.Constant(WORD, REFERENCE)),
        )
        builder.cbranch(builder.or_(is_marked, is_given), keep, drop)
        builder.position_at_end(keep)
        builder.store(zero, self.place(list, MARK))
        following, sum = self.place(list, NEXT), builder.add(held, self.field(list, BYTES))
        builder.branch(head)
        builder.position_at_end(drop)
        builder.store(self.field(list, NEXT), link)
        self.call("free", self.field(list, DATA))
        self.call("Py_DecRef", object)
        self.call("free", list)
        builder.branch(head)
        for phi, initial, kept, dropped in (
            (link, first, following, link),
            (held, zero, sum, held),
        ):
            phi.add_incoming(initial, before)
            phi.add_incoming(kept, keep)
            phi.add_incoming(dropped, drop)
        builder.position_at_end(after)
        twice = builder.add(held, held)
        least = ir.Constant(WORD, FEWEST_BYTES)
        limit = builder.select(builder.icmp_unsigned(">", twice, least), twice, least)
        builder.store(held, self.chain_place(chain, MADE))
        builder.store(limit, self.chain_place(chain, LIMIT))
        builder.ret_void()
        return function
