"""Parameters without annotations, which are Tensors, used as something else."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from tsc.compiler.emit.calls.conversions import unwrap_optional
from tsc.compiler.emit.inserter import Inserter
from tsc.compiler.ir import Value, prim
from tsc.compiler.source import Code, CompileError, SourceRange, codes
from tsc.compiler.types import NUMBER, TENSOR, ListType, TensorType, Type
from tsc.compiler.value_classes import value_class

_CONTAINERS = (prim.ListConstruct, prim.TupleConstruct)


@value_class
class MissingAnnotation:
    """A variable that is a Tensor only because nothing else is said, and the type it is used as."""

    name: str
    wanted: Type

    @property
    def hint(self) -> str:
        type = "float" if self.wanted == NUMBER else self.wanted.annotation
        return (
            f"{self.name} has no annotation, so it is a Tensor: annotate it, as in "
            f"`{self.name}: {type}`"
        )

    def subject(self, emitter: Inserter) -> Hashable:
        """What an error about it is about: the same variable for all its uses in a function."""
        return emitter.function.qualified_name, self.name


def missing_annotation(value: Value, wanted: Type) -> MissingAnnotation | None:
    """The annotation for want of which ``value`` is no ``wanted``, if that is the reason."""
    wanted = unwrap_optional(wanted)
    if value.node.kind in _CONTAINERS and isinstance(wanted, ListType):
        found = (missing_annotation(item, wanted.element) for item in value.node.inputs)
        return next(filter(None, found), None)
    is_inferred = isinstance(value.type, TensorType) and value.type.inferred
    if not is_inferred or value.node.kind != prim.Load:
        return None
    if wanted == TENSOR or wanted.has_type_variables:
        return None
    return MissingAnnotation(value.node.string_attribute("name"), wanted)


def type_error(
    message: str,
    range: SourceRange,
    emitter: Inserter,
    missing: MissingAnnotation | None,
    *,
    code: Code,
    notes: Sequence[str] = (),
    hint: str | None = None,
) -> CompileError:
    """The error for a value of the wrong type. If an annotation is missing, that is what it says."""
    if missing is None:
        return CompileError(message, range, code=code, notes=notes, hint=hint)
    return CompileError(
        message,
        range,
        code=codes.UNANNOTATED_PARAMETER,
        notes=notes,
        hint=missing.hint,
        subject=missing.subject(emitter),
    )
