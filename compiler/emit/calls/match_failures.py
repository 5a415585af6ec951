"""The error for a call that fits no schema: the variants that come closest, a code and a hint."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.emit.calls import match_messages as messages
from tsc.compiler.emit.calls.call_hints import Mismatch, hint_for_keyword, hint_for_mismatches
from tsc.compiler.emit.calls.missing_annotations import MissingAnnotation, type_error
from tsc.compiler.emit.calls.operand_hints import operand_hint
from tsc.compiler.emit.inserter import Inserter
from tsc.compiler.emit.protocols import NamedValue
from tsc.compiler.schema import FunctionSchema
from tsc.compiler.source import Code, CompileError, SourceRange, codes
from tsc.compiler.types import TENSOR, ListType, Type
from tsc.compiler.value_classes import value_class

_MOST_VARIANTS = 5  # shown of those that a call does not fit
_OPERAND_CODES = (codes.UNSUPPORTED_OPERANDS, codes.UNCHECKED_OPTIONAL)


@value_class
class Call:
    """A call as it is written."""

    range: SourceRange
    emitter: Inserter
    args: Sequence[NamedValue]
    kwargs: Sequence[NamedValue]
    self_argument: NamedValue | None

    @property
    def given(self) -> list[NamedValue]:
        """Everything that is passed."""
        bound = [] if self.self_argument is None else [self.self_argument]
        return [*bound, *self.args, *self.kwargs]

    @property
    def is_operator(self) -> bool:
        """Whether it is written as an operator or a subscript: its operands are parts of it."""
        given = self.given
        return bool(given) and self.range.start <= given[-1].range.start <= self.range.end


@value_class
class Failure:
    """Why a call does not fit a schema; ``fitting`` counts the given arguments that fit.

    ``receiver`` is the type of the first argument, if it took the first place.
    """

    schema: FunctionSchema
    reason: str
    code: Code
    mismatch: Mismatch | None
    fitting: int
    receiver: Type | None = None

    @property
    def missing_annotation(self) -> MissingAnnotation | None:
        return None if self.mismatch is None else self.mismatch.missing_annotation

    @property
    def has_receiver(self) -> bool:
        """Whether the first argument fits as it is, so that the variant may be what was meant."""
        return self.receiver is None or self.receiver.is_subtype_of(self.schema.arguments[0].type)

    @property
    def only_none_is_in_the_way(self) -> bool:
        return self.mismatch is not None and self.mismatch.only_none_is_in_the_way


def schema_does_not_fit(failure: Failure, call: Call) -> CompileError:
    """The error for a call that does not fit the only schema there is."""
    return _error(failure.reason.strip("\n"), [failure], call)


def no_variant_fits(failures: Sequence[Failure], call: Call) -> CompileError:
    """The error that shows the variants which fit best: the others would only hide them."""
    closest = _closest(failures, call)[:_MOST_VARIANTS]
    unannotated = next((each for each in closest if each.missing_annotation is not None), None)
    if unannotated is not None:
        closest = [unannotated]
    hopeless = unannotated is None and bool(closest) and not closest[0].fitting
    operation = _operation(call) if hopeless else None
    if operation is not None and _code(closest, call) in _OPERAND_CODES:
        return _error(messages.no_such_operation(*operation), closest, call)
    reasons = [failure.reason for failure in closest]
    message = messages.no_variant_fits(reasons, len(failures) - len(closest))
    return _error(message, closest, call)


def _operation(call: Call) -> tuple[str, list[Type]] | None:
    """The sign of a binary operator and the types of its operands."""
    given = call.given
    if not call.is_operator or len(given) != 2:
        return None
    left, right = (operand.range for operand in given)
    sign = left.source.text[left.end : right.start].strip(" \\\n\t()")
    is_sign = bool(sign) and not set(sign) - set("+-*/%@&|^<>=!")
    return (sign, [operand.value.type for operand in given]) if is_sign else None


def _error(message: str, failures: Sequence[Failure], call: Call) -> CompileError:
    spread = _hint_for_spread_list(failures, call)
    missing = failures[0].missing_annotation if failures and spread is None else None
    return type_error(
        message,
        call.range,
        call.emitter,
        missing,
        code=_code(failures, call),
        hint=spread or _hint(failures, call),
    )


def _hint_for_spread_list(failures: Sequence[Failure], call: Call) -> str | None:
    """``torch.cat(x, y)``, where one list of tensors is wanted."""
    mismatch = failures[0].mismatch if failures else None
    tensors = [each for each in call.args if each.value.type.is_subtype_of(TENSOR)]
    if mismatch is None or mismatch.wanted != ListType(TENSOR) or len(tensors) < 2:
        return None
    return f"put the tensors into a list: [{', '.join(each.range.text for each in tensors)}]"


def _closest(failures: Sequence[Failure], call: Call) -> list[Failure]:
    """The failures that came nearest to fitting, in their order."""
    has_out = any(kwarg.name == "out" for kwarg in call.kwargs)
    explained = [failure for failure in failures if failure.reason]
    plain = [failure for failure in explained if has_out or not _writes_to_out(failure.schema)]
    candidates = plain or explained
    nearest = max(map(_nearness, candidates), default=None)
    return [failure for failure in candidates if _nearness(failure) == nearest]


def _nearness(failure: Failure) -> tuple[int, bool, bool]:
    return failure.fitting, failure.only_none_is_in_the_way, failure.has_receiver


def _writes_to_out(schema: FunctionSchema) -> bool:
    return any(argument.kwarg_only and argument.is_write for argument in schema.arguments)


def _code(failures: Sequence[Failure], call: Call) -> Code:
    """The code for a call that none of several schemas fits; ``failures`` came nearest."""
    if any(failure.only_none_is_in_the_way for failure in failures):
        return codes.UNCHECKED_OPTIONAL
    if _unknown_keyword(failures, call) is not None:
        return codes.UNKNOWN_KEYWORD
    kinds = {failure.code for failure in failures}
    if kinds != {codes.WRONG_ARGUMENT}:
        return kinds.pop() if len(kinds) == 1 else codes.NO_MATCHING_OVERLOAD
    if call.is_operator:
        return codes.UNSUPPORTED_OPERANDS
    return codes.WRONG_ARGUMENT if len(failures) == 1 else codes.NO_MATCHING_OVERLOAD


def _hint(failures: Sequence[Failure], call: Call) -> str | None:
    keyword = _unknown_keyword(failures, call)
    if keyword is not None:
        return hint_for_keyword([failure.schema for failure in failures], keyword)
    if failures and failures[0].schema.name == "aten::sum" and _is_list_of_tensors(call):
        text = call.given[0].range.text
        text = text if text.isidentifier() else "..."
        return f"torch.stack({text}).sum(0) adds up a list of tensors"
    operation = _operation(call)
    hint = None if operation is None else operand_hint(operation[0], call.given)
    if hint is not None:
        return hint
    mismatches = [failure.mismatch for failure in failures if failure.mismatch is not None]
    return hint_for_mismatches(mismatches, call.given, call.range)


def _is_list_of_tensors(call: Call) -> bool:
    return bool(call.given) and call.given[0].value.type == ListType(TENSOR)


def _unknown_keyword(failures: Sequence[Failure], call: Call) -> str | None:
    """A keyword of the call that none of the schemas has."""
    known = {argument.name for each in failures for argument in each.schema.arguments} | {"input"}
    names = (kwarg.name for kwarg in call.kwargs)
    return next((name for name in names if name is not None and name not in known), None)
