"""TS1: the text is not Python."""

from __future__ import annotations

from tsc.compiler.explanations.explanation import explain
from tsc.compiler.source import codes

EXPLANATIONS = (
    explain(
        codes.UNEXPECTED_TOKEN,
        "something stands where it cannot stand",
        """
        The parser came to a word, number or sign that cannot follow what is before it. Often
        something is missing in front of the place: an operator, a comma, an operand, a quote.
        """,
        bad="""
        def scaled(x: Tensor, factor: float) -> Tensor:
            return x factor
        """,
        good="""
        def scaled(x: Tensor, factor: float) -> Tensor:
            return x * factor
        """,
    ),
    explain(
        codes.UNBALANCED_BRACKET,
        "a bracket without its partner",
        """
        Every bracket that is opened must be closed by one of the same kind, and in the right order.
        For a bracket that is never closed, the place is that of the opening one.
        """,
        bad="""
        def corner(x: Tensor) -> Tensor:
            y = x.view((2, 3)
            return y[0]
        """,
        good="""
        def corner(x: Tensor) -> Tensor:
            y = x.view((2, 3))
            return y[0]
        """,
    ),
    explain(
        codes.UNTERMINATED_STRING,
        "a string that is not closed",
        """
        A string ends with the quote that it began with, on the same line. A string of several lines
        stands between three quotes.
        """,
        bad="""
        def greeting() -> str:
            return "hello
        """,
        good="""
        def greeting() -> str:
            return "hello"
        """,
    ),
    explain(
        codes.INVALID_CHARACTER,
        "a character that Python does not know",
        """
        Texts that were copied from a document have typographic quotes, dashes or invisible spaces
        in them. The message names the character, and the plain one that it stands for.
        """,
        bad="""
        def difference(a: int, b: int) -> int:
            return a − b
        """,
        good="""
        def difference(a: int, b: int) -> int:
            return a - b
        """,
    ),
    explain(
        codes.INVALID_NUMBER,
        "a number that cannot be read",
        """
        A name cannot begin with a digit, a number does not begin with 0 (octal numbers have the
        prefix 0o), and an underscore stands between two digits.
        """,
        bad="""
        def mask() -> int:
            return 0777
        """,
        good="""
        def mask() -> int:
            return 0o777
        """,
    ),
    explain(
        codes.INVALID_ESCAPE,
        "a backslash that begins nothing",
        r"""
        In a string, a backslash and some letters stand for one character: `\x41`, `\u00e9`,
        `\N{BULLET}`. Here what follows the backslash is not complete. A backslash itself is
        written twice, or the string gets the prefix r.
        """,
        bad=r"""
        def path() -> str:
            return "C:\users"
        """,
        good=r"""
        def path() -> str:
            return r"C:\users"
        """,
    ),
    explain(
        codes.INVALID_F_STRING,
        "an f-string with a broken field",
        """
        In an f-string, braces hold an expression. A brace itself is written twice, and every field
        is closed before the string ends.
        """,
        bad="""
        def label(n: int) -> str:
            return f"{n"
        """,
        good="""
        def label(n: int) -> str:
            return f"{n}"
        """,
    ),
    explain(
        codes.UNEXPECTED_INDENTATION,
        "a line that is indented for no reason",
        """
        Only the line after a colon begins a deeper block. Here the line before does not end in one.
        """,
        bad="""
        def double(n: int) -> int:
            twice = n + n
              return twice
        """,
        good="""
        def double(n: int) -> int:
            twice = n + n
            return twice
        """,
    ),
    explain(
        codes.MISSING_BLOCK,
        "a colon with no block behind it",
        """
        A line that ends in a colon needs a block: at least one line that is indented deeper. `pass`
        stands for an empty one.
        """,
        bad="""
        def positive(n: int) -> bool:
            if n > 0:
            return True
            return False
        """,
        good="""
        def positive(n: int) -> bool:
            if n > 0:
                return True
            return False
        """,
    ),
    explain(
        codes.UNMATCHED_UNINDENT,
        "a line between two depths",
        """
        A line that ends a block must be indented exactly as one of the blocks around it.
        """,
        bad="""
        def total(xs: List[int]) -> int:
            result = 0
            for x in xs:
                result += x
              print(x)
            return result
        """,
        good="""
        def total(xs: List[int]) -> int:
            result = 0
            for x in xs:
                result += x
                print(x)
            return result
        """,
    ),
    explain(
        codes.MIXED_TABS,
        "tabs and spaces that depend on the reader",
        """
        How deep a line is must not depend on how wide a tab is shown. Indent with spaces only.
        """,
        bad="""
        def total(xs: List[int]) -> int:
            result = 0
        \tfor x in xs:
                result += x
            return result
        """,
        good="""
        def total(xs: List[int]) -> int:
            result = 0
            for x in xs:
                result += x
            return result
        """,
    ),
    explain(
        codes.MISSING_COLON,
        "a block without its colon",
        """
        The line that begins a block (`def`, `if`, `else`, `for`, `while`, `with`) ends in a colon.
        """,
        bad="""
        def sign(n: int) -> int
            return 1 if n > 0 else -1
        """,
        good="""
        def sign(n: int) -> int:
            return 1 if n > 0 else -1
        """,
    ),
    explain(
        codes.MISPLACED_BRANCH,
        "a branch without the statement it belongs to",
        """
        `else` and `elif` stand directly below the block of their `if`, indented as it is; `except`
        and `finally` below that of `try`; a function below its decorators.
        """,
        bad="""
        def sign(n: int) -> int:
            if n > 0:
                return 1
            else if n < 0:
                return -1
            return 0
        """,
        good="""
        def sign(n: int) -> int:
            if n > 0:
                return 1
            elif n < 0:
                return -1
            return 0
        """,
    ),
    explain(
        codes.KEYWORD_AS_NAME,
        "a keyword in the place of a name",
        """
        Words of the language, such as `lambda`, `class` or `from`, cannot name a variable, a
        parameter or a function. A trailing underscore makes a name of them.
        """,
        bad="""
        def shrink(x: Tensor, lambda: float) -> Tensor:
            return x * lambda
        """,
        good="""
        def shrink(x: Tensor, lambda_: float) -> Tensor:
            return x * lambda_
        """,
    ),
    explain(
        codes.FOREIGN_SYNTAX,
        "an operator or word of another language",
        """
        The text is right in C, JavaScript or Python 2, but not in Python 3. The hint says how
        Python spells it.
        """,
        bad="""
        def both(a: bool, b: bool) -> bool:
            return a && b
        """,
        good="""
        def both(a: bool, b: bool) -> bool:
            return a and b
        """,
    ),
    explain(
        codes.ASSIGNMENT_AS_VALUE,
        "'=' where a value is wanted",
        """
        An assignment is a statement and has no value. To compare two values, write `==`.
        """,
        bad="""
        def is_zero(n: int) -> bool:
            if n = 0:
                return True
            return False
        """,
        good="""
        def is_zero(n: int) -> bool:
            if n == 0:
                return True
            return False
        """,
    ),
    explain(
        codes.INVALID_TARGET,
        "an assignment to something that holds no value",
        """
        What stands left of `=`, after `for` or after `del` must be a variable, an attribute, an
        item, or a tuple of those. A call, a literal or a sum cannot be assigned to.
        """,
        bad="""
        def swap(a: int, b: int) -> Tuple[int, int]:
            a + 0, b = b, a
            return a, b
        """,
        good="""
        def swap(a: int, b: int) -> Tuple[int, int]:
            a, b = b, a
            return a, b
        """,
    ),
    explain(
        codes.INVALID_STARRED_TARGET,
        "a starred target that does not say what it takes",
        """
        One target of several may have a star: it takes what the others leave over. Two stars would
        not say which of them takes what, and one alone has nothing to leave over.
        """,
        bad="""
        def split(x: Tuple[int, int, int, int]) -> int:
            first, *middle, *last = x
            return first
        """,
        good="""
        def split(x: Tuple[int, int, int, int]) -> int:
            first, *middle, last = x
            return first
        """,
    ),
    explain(
        codes.INVALID_PARAMETERS,
        "a list of parameters that contradicts itself",
        """
        Two parameters have one name, a parameter without a default follows one that has a default,
        or the marks `*` and `/` stand in the wrong place.
        """,
        bad="""
        def scale(x: Tensor, factor: float = 1.0, offset: float) -> Tensor:
            return x * factor + offset
        """,
        good="""
        def scale(x: Tensor, offset: float, factor: float = 1.0) -> Tensor:
            return x * factor + offset
        """,
    ),
    explain(
        codes.INVALID_ARGUMENTS,
        "arguments of a call in the wrong order or form",
        """
        Arguments by position come first, then those by name, each name once. A generator expression
        beside other arguments needs brackets of its own.
        """,
        bad="""
        def ones(n: int) -> Tensor:
            return torch.full(fill_value=1.0, [n, n])
        """,
        good="""
        def ones(n: int) -> Tensor:
            return torch.full([n, n], fill_value=1.0)
        """,
    ),
    explain(
        codes.INVALID_TYPE_COMMENT,
        "a type comment that does not fit its function",
        """
        The comment `# type: (...) -> ...` below the head of a function has one type for each
        parameter.
        """,
        bad="""
        def scale(x, factor):
            # type: (Tensor) -> Tensor
            return x * factor
        """,
        good="""
        def scale(x, factor):
            # type: (Tensor, float) -> Tensor
            return x * factor
        """,
    ),
    explain(
        codes.JUMP_OUTSIDE_LOOP,
        "break or continue outside of a loop",
        """
        `break` leaves the loop around it, and `continue` goes to its next turn. Here there is no
        loop; to leave the function, write `return`.
        """,
        bad="""
        def first_positive(n: int) -> int:
            if n <= 0:
                break
            return n
        """,
        good="""
        def first_positive(n: int) -> int:
            if n <= 0:
                return 0
            return n
        """,
    ),
    explain(
        codes.MISPLACED_STAR,
        "a star with nothing around it",
        """
        `*x` stands for the elements of `x` among others: in a call, a list or a tuple. Alone it
        means nothing.
        """,
        bad="""
        def pair(x: Tuple[int, int]) -> Tuple[int, int]:
            y = *x
            return y
        """,
        good="""
        def pair(x: Tuple[int, int]) -> Tuple[int, int]:
            y = (*x,)
            return y
        """,
    ),
    explain(
        codes.MISPLACED_AS,
        "'as' outside of a with statement or import",
        """
        `value as name` gives a name to a value in a `with` statement, and to a module in an import.
        Elsewhere a value gets its name by an assignment.
        """,
        bad="""
        def twice(n: int) -> int:
            y = (n + n as total)
            return y
        """,
        good="""
        def twice(n: int) -> int:
            total = n + n
            return total
        """,
    ),
)
