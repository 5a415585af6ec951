"""f-strings: their trees are calls of ``format``; what a field says beside its expression is read
from the text.
"""

from __future__ import annotations

from tsc.compiler.frontend.tree_views import Apply, Expr, StringLiteral
from tsc.compiler.source import CompileError, codes
from tsc.runtime.construction.host.texts import formatted, joined
from tsc.runtime.construction.values.protocol import Evaluator, Frame

_CONVERSIONS = {"!r": "repr", "!a": "ascii"}


def format_string(evaluator: Evaluator, tree: Apply, template: Expr, frame: Frame) -> str:
    """The text of an f-string."""
    assert isinstance(template, StringLiteral)
    texts = template.text.split("{}")
    result = [texts[0]]
    for field, text in zip(tree.inputs, texts[1:]):
        if field.range is tree.range:  # braces that are plain text
            result.append("{}")
        else:
            result.append(_field_text(evaluator, field, frame))
        result.append(text)
    return joined(evaluator, result)


def _field_text(evaluator: Evaluator, field: Expr, frame: Frame) -> str:
    value = evaluator.evaluate(field, frame)
    frame.position = field.range
    prefix, conversion, form = _extras(field)
    if conversion in _CONVERSIONS:
        shown = evaluator.representation(value)
    elif conversion or not form:
        shown = evaluator.text(value)
    else:
        return prefix + formatted(evaluator, value, form)
    return prefix + (format(shown, form) if form else shown)


def _extras(field: Expr) -> tuple[str, str, str]:
    """The text of ``=``, the conversion, and the format specification behind an expression."""
    text = field.range.source.text
    end = field.range.end
    while text[end] in ") \t\n":
        end += 1
    if text[end] == "}":
        return "", "", ""
    prefix = conversion = form = ""
    if text[end] == "=":
        prefix = f"{field.range.text}="
        conversion = "!r"
        end += 1
    if text[end] == "!":
        conversion = text[end : end + 2]
        end += 2
    if text[end] == ":":
        stop = text.find("}", end)
        form = text[end + 1 : stop]
        if "{" in form:
            raise CompileError(
                "a field in the format specification of an f-string isn't supported",
                field.range,
                code=codes.NO_FORMAT_SPECIFICATION,
                hint="format the value with a fixed specification",
            )
        if conversion == "!r" and prefix:
            conversion = ""
    return prefix, conversion, form
