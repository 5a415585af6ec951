"""Says in plain words what is wrong with a text that the grammar does not fit."""

from __future__ import annotations

from collections.abc import Callable

from tsc.compiler.frontend.expected_tokens import (
    describe_expected,
    describe_token,
)
from tsc.compiler.frontend.grammar import END, load_tables
from tsc.compiler.frontend.lalr import UnexpectedToken
from tsc.compiler.frontend.lexer import Lexer, TokenStream
from tsc.compiler.frontend.lexical_errors import unclosed_bracket
from tsc.compiler.frontend.text_pieces import is_closed_later
from tsc.compiler.frontend.tokens import INDENT, NAME, NEWLINE, NUMBER, STRING, Token
from tsc.compiler.frontend.unexpected_place import Place, find_place
from tsc.compiler.source import CompileError, Note, codes

_BLOCK_KEYWORDS = frozenset(
    ("IF", "ELIF", "ELSE", "FOR", "WHILE", "WITH", "DEF", "CLASS", "TRY", "EXCEPT", "FINALLY")
)
_STATEMENT_KEYWORDS = frozenset(
    (
        *("DEF", "CLASS", "RETURN", "RAISE", "ASSERT", "DEL", "PASS", "BREAK", "CONTINUE"),
        *("IMPORT", "GLOBAL", "NONLOCAL", "WHILE", "WITH", "TRY", "EXCEPT", "FINALLY", "ELIF"),
    )
)
_CONTINUATIONS = {"ELSE": "if", "ELIF": "if", "EXCEPT": "try", "FINALLY": "try"}
_VALUE_ENDS = frozenset(
    (NAME, NUMBER, STRING, "RPAR", "RSQB", "RBRACE", "TRUE", "FALSE", "NONE", "ELLIPSIS")
)
_VALUE_STARTS = frozenset(
    (NAME, NUMBER, STRING, "TRUE", "FALSE", "NONE", "LBRACE", "LAMBDA", "NOT", "ELLIPSIS")
)
_TYPE_NAMES = frozenset(("int", "float", "bool", "str", "complex", "Tensor"))
_FOREIGN_OPERATORS = {
    "&&": "'and' joins two conditions",
    "||": "'or' joins two conditions",
    "<>": "'!=' compares for inequality",
    "=>": "'>=' is greater or equal",
    "=<": "'<=' is less or equal",
    "===": "'==' compares for equality",
    "!==": "'!=' compares for inequality",
}
_FOREIGN_WORDS = {
    "elseif": "'elif' is how Python spells it",
    "elsif": "'elif' is how Python spells it",
    "function": "'def' begins a function",
    "func": "'def' begins a function",
    "fn": "'def' begins a function",
    "var": "variables need no declaration",
    "let": "variables need no declaration",
    "const": "variables need no declaration",
    "switch": "use 'if' and 'elif'",
    "then": "the colon ':' stands for it",
    "do": "the colon ':' stands for it",
}


def syntax_error(unexpected: UnexpectedToken, lexer: Lexer, tokens: TokenStream) -> CompileError:
    """The error for an unexpected token; ``tokens`` are those of the same text once more."""
    place = find_place(unexpected, lexer, tokens)
    for rule in _RULES:
        error = rule(place)
        if error is not None:
            return error
    return _anything_else(place)


def _unclosed_bracket(place: Place) -> CompileError | None:
    """A bracket that swallows the lines after it."""
    if not place.brackets or place.before is None:
        return None
    opening = place.brackets[-1]
    text = opening.source.text
    if place.token.kind == "ARROW":
        return unclosed_bracket(opening)
    if "\n" not in text[opening.start : place.token.start] or place.token.text in (")", "]", "}"):
        return None
    begins_line = "\n" in text[place.before.end : place.token.start]
    begins_statement = begins_line and place.token.kind in _STATEMENT_KEYWORDS
    if begins_statement or not is_closed_later(opening.source, place.token.start):
        return unclosed_bracket(opening)
    return None


def _indentation(place: Place) -> CompileError | None:
    if place.token.kind == INDENT:
        start, end = place.token.start, place.token.end
        return CompileError(
            "unexpected indentation",
            place.token.source.range(start, end),
            code=codes.UNEXPECTED_INDENTATION,
            notes=_line_note(place, "the line before opens no block:"),
            hint="begin this line below the one before, or end that one with ':'",
        )
    if INDENT not in place.expected or len(place.expected) > 1:
        return None
    return CompileError(
        f"expected an indented block after {_head_of(place.previous_line)}",
        place.range,
        code=codes.MISSING_BLOCK,
        notes=_line_note(place, "the block belongs to:"),
        hint="indent the lines of the block; 'pass' stands for an empty one",
    )


def _head_of(line: list[Token]) -> str:
    return repr(line[0].text) if line and line[0].text.isalpha() else "':'"


def _line_note(place: Place, message: str) -> list[str | Note]:
    line = place.previous_line
    return [Note(message, line[0].range.through(line[-1].range))] if line else []


def _else_if(place: Place) -> CompileError | None:
    before = place.before
    if before is None or before.kind != "ELSE" or place.token.kind != "IF":
        return None
    return CompileError(
        "'else if' is not Python",
        before.range.through(place.token.range),
        code=codes.MISPLACED_BRANCH,
        hint="write 'elif'",
    )


def _lonely_branch(place: Place) -> CompileError | None:
    opener = _CONTINUATIONS.get(place.token.kind)
    if opener is None or place.line:
        return None
    return place.error(
        f"{place.token.text!r} without a matching {opener!r}",
        f"it must be indented like its {opener!r}, with nothing but the block between them",
        code=codes.MISPLACED_BRANCH,
    )


def _soft_keyword(place: Place) -> CompileError | None:
    first = place.first
    if first is None or first.kind != NAME or place.brackets:
        return None
    is_word = len(place.line) == 1
    if first.text == "match" and (is_word or place.line[-1].kind == "COLON"):
        hint = "use 'if' and 'elif', with '==' or 'isinstance'"
        return place.error_at(first, "match statements aren't supported", hint, code=codes.NO_MATCH)
    if first.text == "type" and is_word:
        hint = "an alias is a plain assignment: Name = Type"
        return place.error_at(
            first, "type statements aren't supported", hint, code=codes.NO_TYPE_STATEMENT
        )
    if first.text == "print" and is_word:
        return place.error_at(
            first, "print needs parentheses", "write print(...)", code=codes.FOREIGN_SYNTAX
        )
    if first.text in _TYPE_NAMES and is_word and place.token.kind == NAME:
        hint = f"a declaration is written {place.token.text}: {first.text}"
        return place.error(
            f"unexpected name {place.token.text!r} after a type", hint, code=codes.FOREIGN_SYNTAX
        )
    if first.text in _FOREIGN_WORDS and is_word:
        hint = _FOREIGN_WORDS[first.text]
        return place.error_at(
            first, f"{first.text!r} is not a keyword of Python", hint, code=codes.FOREIGN_SYNTAX
        )
    return None


def _type_parameters(place: Place) -> CompileError | None:
    is_head = len(place.line) == 2 and place.line[0].kind in ("DEF", "CLASS")
    if is_head and place.token.kind == "LSQB":
        hint = "write the function once for each type, or use Union or Any"
        return place.error("type parameters aren't supported", hint, code=codes.NO_TYPE_PARAMETER)
    return None


def _assignment_in_expression(place: Place) -> CompileError | None:
    first = place.first
    if place.token.kind != "EQUAL" or first is None:
        return None
    if first.kind == "FOR":
        return place.error(
            "expected 'in', found '='", "write 'for i in range(n):'", code=codes.ASSIGNMENT_AS_VALUE
        )
    is_condition = first.kind in ("IF", "ELIF", "WHILE", "ASSERT", "RETURN")
    if len(place.line) > 1 and (is_condition or place.brackets):
        return place.error(
            "an assignment is not an expression",
            "did you mean '=='?",
            code=codes.ASSIGNMENT_AS_VALUE,
        )
    return None


def _assigned_keyword(place: Place) -> CompileError | None:
    before = place.before
    is_use = place.token.kind == "DOT" or place.token.kind.endswith("EQUAL")
    if before is not None and _is_keyword(before) and is_use and before.kind not in _CONSTANTS:
        return _keyword_error(before)
    return None


def _keyword_as_name(place: Place) -> CompileError | None:
    """A keyword where only a name can stand, or before the ``=`` of an argument."""
    if not _is_keyword(place.token) or NAME not in place.expected:
        return None
    is_argument = place.following is not None and place.following.kind == "EQUAL"
    if NUMBER not in place.expected or (place.brackets and is_argument):
        return _keyword_error(place.token)
    return None


_CONSTANTS = frozenset(("TRUE", "FALSE", "NONE"))


def _is_keyword(token: Token) -> bool:
    return token.kind != NAME and token.text.isalpha() and token.text in load_tables().literals


def _keyword_error(token: Token) -> CompileError:
    return CompileError(
        f"{token.text!r} is a keyword and cannot be a name",
        token.range,
        code=codes.KEYWORD_AS_NAME,
        hint=f"choose another one, such as '{token.text.lower()}_'",
    )


def _foreign_operator(place: Place) -> CompileError | None:
    for first, second in ((place.before, place.token), (place.token, place.following)):
        if first is None or second is None or first.end != second.start:
            continue
        hint = _FOREIGN_OPERATORS.get(first.text + second.text)
        if hint is not None:
            range = first.range.through(second.range)
            return CompileError(
                f"{range.text!r} is not an operator of Python",
                range,
                code=codes.FOREIGN_SYNTAX,
                hint=hint,
            )
    return None


def _increment(place: Place) -> CompileError | None:
    if len(place.line) < 3 or place.token.kind not in (NEWLINE, "RPAR", "SEMICOLON"):
        return None
    *_, operand, first, second = place.line
    if first.text != second.text or first.text not in "+-" or first.end != second.start:
        return None
    range = first.range.through(second.range)
    hint = f"write '{operand.text} {first.text}= 1'"
    return CompileError(
        f"{range.text!r} is not an operator of Python", range, code=codes.FOREIGN_SYNTAX, hint=hint
    )


def _missing_colon(place: Place) -> CompileError | None:
    first = place.first
    if first is None or first.kind not in _BLOCK_KEYWORDS or "COLON" not in place.expected:
        return None
    if place.brackets or place.token.kind not in (NEWLINE, "LBRACE"):
        return None
    hint = f"a colon ends the line that begins with {first.text!r}"
    return place.error("expected ':'", hint, code=codes.MISSING_COLON)


def _missing_in(place: Place) -> CompileError | None:
    if "IN" not in place.expected or place.first is None or place.first.kind != "FOR":
        return None
    if place.brackets or "COLON" in place.expected:
        return None
    found = describe_token(place.token)
    return place.error(
        f"expected 'in', found {found}",
        "a loop is written 'for x in items:'",
        code=codes.UNEXPECTED_TOKEN,
    )


def _missing_else(place: Place) -> CompileError | None:
    if "ELSE" not in place.expected or place.token.kind not in (NEWLINE, END, "RPAR", "COMMA"):
        return None
    if not any(token.kind == "IF" for token in place.line[1:]):
        return None
    return place.error(
        "expected 'else' after the condition",
        "a conditional expression is 'a if condition else b'",
        code=codes.UNEXPECTED_TOKEN,
    )


def _decorator_alone(place: Place) -> CompileError | None:
    if place.line or not place.previous_line or place.previous_line[0].kind != "AT":
        return None
    return CompileError(
        "expected a function definition after the decorator",
        place.range,
        code=codes.MISPLACED_BRANCH,
        notes=_line_note(place, "the decorator:"),
    )


def _try_alone(place: Place) -> CompileError | None:
    if place.line or "EXCEPT" not in place.expected or "FINALLY" not in place.expected:
        return None
    return place.error(
        "expected 'except' or 'finally' after the block of 'try'", code=codes.MISPLACED_BRANCH
    )


def _bare_generator(place: Place) -> CompileError | None:
    if not place.brackets or place.brackets[-1].text != "(":
        return None
    words = {token.kind for token in place.line if token.start > place.brackets[-1].start}
    is_first = place.token.kind == "COMMA" and "FOR" in words
    is_later = place.token.kind == "FOR" and "COMMA" in words
    if not is_first and not is_later:
        return None
    hint = "or make a list of it: [... for ... in ...]"
    return place.error(
        "a generator beside other arguments needs brackets of its own",
        hint,
        code=codes.INVALID_ARGUMENTS,
    )


def _two_values(place: Place) -> CompileError | None:
    token, before = place.token, place.before
    if before is None or before.kind not in _VALUE_ENDS or token.kind not in _VALUE_STARTS:
        return None
    if before.kind == NUMBER and token.kind == NUMBER and before.end == token.start:
        range = before.range.through(token.range)
        return CompileError(
            f"invalid decimal number {range.text!r}", range, code=codes.INVALID_NUMBER
        )
    if token.text in _FOREIGN_WORDS:
        return place.error(
            f"unexpected {token.text!r}", _FOREIGN_WORDS[token.text], code=codes.FOREIGN_SYNTAX
        )
    missing = "a comma or an operator" if place.brackets else "an operator"
    return place.error(
        f"unexpected {describe_token(token)}",
        f"{missing} is missing before it",
        code=codes.UNEXPECTED_TOKEN,
    )


def _missing_expression(place: Place) -> CompileError | None:
    before = place.before
    if before is None or not place.expected.issuperset((NAME, NUMBER, STRING)):
        return None
    found = describe_token(place.token)
    return place.error(
        f"expected an expression after {before.text!r}, found {found}", code=codes.UNEXPECTED_TOKEN
    )


def _anything_else(place: Place) -> CompileError:
    found = describe_token(place.token)
    expected = describe_expected(place.expected)
    if expected is not None:
        return place.error(f"expected {expected}, found {found}", code=codes.UNEXPECTED_TOKEN)
    return place.error(
        "unexpected " + found.removeprefix("the ").removeprefix("a "), code=codes.UNEXPECTED_TOKEN
    )


_RULES: tuple[Callable[[Place], CompileError | None], ...] = (
    _unclosed_bracket,
    _indentation,
    _else_if,
    _lonely_branch,
    _decorator_alone,
    _try_alone,
    _soft_keyword,
    _type_parameters,
    _assigned_keyword,
    _foreign_operator,
    _assignment_in_expression,
    _missing_in,
    _increment,
    _missing_colon,
    _missing_else,
    _bare_generator,
    _keyword_as_name,
    _two_values,
    _missing_expression,
)
