"""Steps of a region: each turn of a loop is one, and when they are used up, signals and limits are looked at."""

from __future__ import annotations

from typing import Final

from llvmlite import ir

from tsc.runtime.native.regions.forms import Native
from tsc.runtime.native.regions.llvm_types import BIT, POINTER, WORD
from tsc.runtime.native.regions.region_exits import FREE_STEPS, LOOKS_OF_THREAD
from tsc.runtime.native.regions.tensor_entry import TensorEntry

_WORDS_OF_STEP: Final = 4
"""As a power of two: how many words of a list take about as long to write as a turn."""


class RegionSteps(TensorEntry):
    """Emits the counting of steps."""

    def prepare_steps(self, address: Native, refill: Native) -> None:
        """At the beginning of a region: where the count of steps is, and what gives new ones; or None, if they are
        free: then a count of looks at signals follows.
        """
        self._steps = self.builder.alloca(WORD)
        self._cell = self.builder.inttoptr(self.call("PyLong_AsLongLong", address), POINTER)
        self._refill = refill
        self._is_free = self.builder.icmp_unsigned("==", refill, self.constant("none"))
        self.builder.store(self.builder.load(self._cell, typ=WORD), self._steps)

    def release_steps(self) -> None:
        """At the end of a region: what is left is given back."""
        self.builder.store(self.builder.load(self._steps, typ=WORD), self._cell)

    def take_step(self) -> None:
        """Count a turn; when the steps are used up, look at signals and ask for more."""
        builder = self.builder
        left = builder.sub(builder.load(self._steps, typ=WORD), ir.Constant(WORD, 1))
        builder.store(left, self._steps)
        is_over = builder.icmp_signed("<", left, ir.Constant(WORD, 0))
        with builder.if_then(is_over, likely=False):
            failed = builder.call(self._pause(), [self._cell, self._refill])
            given = builder.load(self._cell, typ=WORD)
            builder.store(builder.sub(given, ir.Constant(WORD, 1)), self._steps)
            self.leave_if(failed)

    def charge(self, words: Native) -> None:
        """The next look at signals comes sooner; where steps are limited, one turn stays one step."""
        builder = self.builder
        cost = builder.lshr(words, ir.Constant(WORD, _WORDS_OF_STEP))
        cost = builder.select(self._is_free, cost, ir.Constant(WORD, 0))
        left = builder.load(self._steps, typ=WORD)
        builder.store(builder.sub(left, cost), self._steps)

    def _pause(self) -> ir.Function:
        known = self.module.globals.get("pause")
        if known is not None:
            return known
        function = ir.Function(self.module, ir.FunctionType(BIT, [POINTER, POINTER]), "pause")
        function.linkage = "internal"
        function.attributes.add("noinline")
        outer, self.builder = self.builder, ir.IRBuilder(function.append_basic_block())
        builder, (cell, refill) = self.builder, function.args
        signalled = self.call("PyErr_CheckSignals")
        failed = builder.icmp_signed("!=", signalled, ir.Constant(signalled.type, 0))
        with builder.if_then(failed):
            builder.ret(ir.Constant(BIT, 1))
        with builder.if_then(builder.icmp_unsigned("!=", refill, self.constant("none"))):
            given = self.call("PyObject_CallNoArgs", refill)
            with builder.if_then(builder.icmp_unsigned("==", given, ir.Constant(POINTER, None))):
                builder.ret(ir.Constant(BIT, 1))
            self.call("Py_DecRef", given)
            builder.ret(ir.Constant(BIT, 0))
        builder.store(ir.Constant(WORD, FREE_STEPS), cell)
        if not self.forms.reads_inner_lists:
            self._let_others_run(cell)
        builder.ret(ir.Constant(BIT, 0))
        self.builder = outer
        return function

    def _let_others_run(self, cell: Native) -> None:
        """Give the lock of Python away for a moment, at some of the looks at signals."""
        builder = self.builder
        place = builder.gep(cell, [ir.Constant(WORD, 1)], source_etype=WORD)
        looks = builder.add(builder.load(place, typ=WORD), ir.Constant(WORD, 1))
        builder.store(looks, place)
        rest = builder.urem(looks, ir.Constant(WORD, LOOKS_OF_THREAD))
        with builder.if_then(builder.icmp_unsigned("==", rest, ir.Constant(WORD, 0))):
            state = self.call("PyEval_SaveThread")
            self.call("PyEval_RestoreThread", state)
