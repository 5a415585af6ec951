"""What would help when a value has not the type that it should have: a conversion, a check, …"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from tsc.compiler.emit.calls.conversions import unwrap_optional
from tsc.compiler.emit.calls.missing_annotations import MissingAnnotation, missing_annotation
from tsc.compiler.emit.protocols import NamedValue
from tsc.compiler.ir import Value, prim
from tsc.compiler.schema import Argument, FunctionSchema
from tsc.compiler.source import SourceRange
from tsc.compiler.types import (
    BOOL,
    FLOAT,
    INT,
    NUMBER,
    STRING,
    TENSOR,
    DictType,
    ListType,
    OptionalType,
    Type,
    UnionType,
    VarType,
)
from tsc.compiler.value_classes import value_class

_LONGEST_QUOTE = 30  # characters of an argument that a hint repeats
_NUMBERS = (INT, FLOAT, NUMBER)
_KEYWORDS_OF_NUMPY = {"axis": "dim", "axes": "dims", "keepdims": "keepdim", "fill": "fill_value"}


@value_class
class Mismatch:
    """An argument that was given, and the one of the schema that it does not fit."""

    given: NamedValue
    argument: Argument

    @property
    def actual(self) -> Type:
        return self.given.value.type

    @property
    def wanted(self) -> Type:
        return unwrap_optional(self.argument.type)

    @property
    def only_none_is_in_the_way(self) -> bool:
        actual = self.actual
        return isinstance(actual, OptionalType) and actual.element.is_subtype_of(self.wanted)

    @property
    def missing_annotation(self) -> MissingAnnotation | None:
        return missing_annotation(self.given.value, self.wanted)

    @property
    def mixes_text_and_number(self) -> bool:
        kinds = (self.actual, self.wanted)
        return STRING in kinds and any(kind in _NUMBERS for kind in kinds)


def hint_for_mismatches(
    mismatches: Sequence[Mismatch], given: Sequence[NamedValue], call: SourceRange
) -> str | None:
    """What to do about the arguments that kept the closest variants from fitting."""
    operands = given if given and given[-1].range.end <= call.end else ()
    types = [operand.value.type for operand in operands]
    is_mixed = STRING in types and any(type in _NUMBERS for type in types)
    if is_mixed and any(each.mixes_text_and_number for each in mismatches[:1]):
        return "str(...) makes a string of a number, int(...) and float(...) read one from a string"
    for mismatch in mismatches:
        wanted = mismatch.wanted
        if mismatch.argument.declared_type != mismatch.argument.type and mismatch.actual == STRING:
            return "dtypes are written without quotes, as in torch.float32"
        if isinstance(wanted, VarType):
            hint = _hint_for_container(mismatch, given)
        elif wanted == TENSOR and operands and not mismatch.only_none_is_in_the_way:
            hint = None
        else:
            hint = conversion_hint(_text_of(mismatch.given, call), mismatch.actual, wanted)
        if hint is not None:
            return hint
    return None


def hint_for_keyword(schemas: Sequence[FunctionSchema], name: str) -> str | None:
    """The argument that a keyword nobody knows may stand for."""
    known = [argument.name for schema in schemas for argument in schema.arguments]
    if (own := _KEYWORDS_OF_NUMPY.get(name)) in known:
        return f"did you mean '{own}'?"
    close = get_close_matches(name, known, 1)
    return f"did you mean '{close[0]}'?" if close and close[0] != name else None


def conversion_hint(text: str, actual: Type, wanted: Type) -> str | None:
    """How to make a value of the type ``wanted`` of one that is written as ``text``."""
    if isinstance(actual, OptionalType):
        return f"{text} may be None here: check `is not None` first"
    if actual.is_subtype_of(TENSOR) and wanted in _NUMBERS:
        kind = "int" if wanted == INT else "float"
        return f"{kind}({text}) is the number in a tensor of one element"
    if actual in _NUMBERS and wanted == TENSOR:
        return f"torch.tensor({text}) makes a tensor of it"
    if actual in (*_NUMBERS, BOOL) and wanted in (INT, FLOAT, STRING):
        return f"convert it with {wanted.annotation}({text})"
    if actual == STRING and wanted in (INT, FLOAT) and text[:1] not in ("'", '"'):
        return f"convert it with {wanted.annotation}({text})"
    if isinstance(wanted, ListType) and actual.is_subtype_of(wanted.element):
        return f"put it into a list: [{text}]"
    if wanted == ListType(INT) and actual == FLOAT:
        return f"convert it with int({text})"
    if isinstance(actual, UnionType):
        kind = actual.contained[0].annotation
        return f"it may be of several types here: ask isinstance({text}, {kind}) first"
    return None


def _hint_for_container(mismatch: Mismatch, given: Sequence[NamedValue]) -> str | None:
    """``xs = []`` and ``d = {}`` hold tensors unless an annotation says otherwise."""
    owner = given[0].value
    container = owner.type
    name = owner.node.string_attribute("name") if owner.node.kind == prim.Load else "name"
    item = mismatch.actual.annotation
    if isinstance(container, ListType) and container.element == TENSOR:
        annotation = f"List[{item}] = []"
    elif isinstance(container, DictType) and container.value == TENSOR:
        annotation = f"Dict[{container.key.annotation}, {item}] = {{}}"
    else:
        return None
    return f"what is empty holds Tensors unless it is annotated, as in `{name}: {annotation}`"


def _text_of(argument: NamedValue, call: SourceRange) -> str:
    """The argument as it is written, or dots for one that is long."""
    text = argument.range.text
    is_short = len(text) <= _LONGEST_QUOTE and "\n" not in text
    return text if is_short and argument.range != call else "..."


def variable_name(value: Value) -> str:
    """What the program calls a value: names in graphs have a number at their end."""
    return value.debug_name.partition(".")[0] if value.has_debug_name else "the value"
