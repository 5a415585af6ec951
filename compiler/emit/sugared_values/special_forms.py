"""Things that look like functions or values but are evaluated by the emitter's own rules."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.frontend.annotation_hints import CONTAINED_TYPE_EXAMPLES, without_contained_type
from tsc.compiler.ir import Value
from tsc.compiler.source import SourceRange, codes


class SpecialFormValue(SugaredValue):
    """A form such as ``isinstance(x, T)``; the emitter knows it by ``form``, a node kind."""

    __slots__ = ("form",)

    def __init__(self, form: str) -> None:
        self.form = form

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return self.form.partition("::")[2]


class BoundFormValue(SpecialFormValue):
    """A form that is a method: ``tensor.tolist``."""

    __slots__ = ("self_value",)

    def __init__(self, form: str, self_value: Value) -> None:
        super().__init__(form)
        self.self_value = self_value

    @property
    def is_independent(self) -> bool:
        return False


class LegacyTensorConstructor(SpecialFormValue):
    """``torch.LongTensor(...)`` and its like: a tensor on the CPU of the dtype in the name."""

    __slots__ = ("dtype",)

    def __init__(self, dtype: int) -> None:
        super().__init__("prim::LegacyTypedConstructor")
        self.dtype = dtype


class SliceValue(SugaredValue):
    """``slice(a, b, c)`` as an index."""

    __slots__ = ("start", "step", "stop")

    def __init__(self, start: Value, stop: Value, step: Value) -> None:
        self.start = start
        self.stop = stop
        self.step = step

    @property
    def kind(self) -> str:
        return "Python slice value"


class TypeValue(SugaredValue):
    """A type where a value was expected, as ``Tensor`` or ``List`` alone."""

    __slots__ = ("constructor_hint", "name")

    def __init__(self, name: str, constructor_hint: str | None = None) -> None:
        self.name = name
        self.constructor_hint = constructor_hint

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return f"type '{self.name}'"

    def as_value(self, range: SourceRange, emitter: Emitter) -> Value:
        if self.name not in CONTAINED_TYPE_EXAMPLES:
            return super().as_value(range, emitter)
        raise self._refusal(
            range, without_contained_type(self.name), code=codes.MISSING_CONTAINED_TYPE
        )

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        raise self._refusal(
            range, f"cannot call a {self.kind}", self.constructor_hint, code=codes.NOT_CALLABLE
        )


class NoneValue(SugaredValue):
    """What a statement-like call such as ``print(x)`` gives: nothing that can be used."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        return "None"
