"""The classes, functions and methods that an archive's code declares, with bodies left as text.

The compiler's parser reads the heads: each body is a ``pass`` to it. So a megabyte of code costs a scan.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tsc.compiler.frontend.parser import parse_source
from tsc.compiler.frontend.tree_views import (
    Assign,
    ClassDef,
    Const,
    Def,
    Expr,
    ListLiteral,
    Stmt,
    StringLiteral,
    Subscript,
    TupleLiteral,
    Var,
)
from tsc.compiler.source import CompileError, Source
from tsc.runtime.serialization.code_text import CodeText

_HEAD = re.compile(r"^([ \t]*)def\b", re.MULTILINE)
_BRACKET_OR_COLON = re.compile(r"[()\[\]{}:]")
_BLANKS = re.compile(r"\s+")
_MOST_DECLARATIONS = 4_000_000  # characters, which the parser reads in seconds


@dataclass(frozen=True, slots=True)
class Method:
    """A function, or a method of a class; `declaration` is its head in one line."""

    name: str
    declaration: str
    source: str
    file: str
    line: int


@dataclass(slots=True)
class ClassDeclaration:
    """A class of the archive: `kind` is ``module``, ``class``, ``NamedTuple``, ``enum`` or ``interface``."""

    name: str
    kind: str
    file: str
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    parameters: tuple[str, ...] = ()
    buffers: tuple[str, ...] = ()
    methods: dict[str, Method] = field(default_factory=dict)


@dataclass(slots=True)
class Declarations:
    """What all code files declare, by qualified names; `problems` tells files that cannot be parsed."""

    classes: dict[str, ClassDeclaration] = field(default_factory=dict)
    functions: dict[str, Method] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)

    def methods(self) -> Iterator[tuple[str, Method]]:
        """All functions and methods by their qualified names."""
        yield from self.functions.items()
        for class_ in self.classes.values():
            for method in class_.methods.values():
                yield f"{class_.name}.{method.name}", method


def read_declarations(files: dict[str, CodeText]) -> Declarations:
    """The declarations of code files, by their paths below ``code/``."""
    found = Declarations()
    left = _MOST_DECLARATIONS
    for path, code in files.items():
        outline = _Outline(code, left)
        left -= len(outline.source.text)
        if left < 0:
            found.problems[path] = f"more than {_MOST_DECLARATIONS:,} characters of declarations"
            break
        try:
            _read_file(outline, path, found)
        except CompileError as error:
            line, _ = error.range.source.position(error.range.start)
            found.problems[path] = f"line {line}: {error.message.splitlines()[0]}"
    return found


def _read_file(outline: _Outline, path: str, found: Declarations) -> None:
    module = path.removesuffix(".py").replace("/", ".")
    for statement in parse_source(outline.source).statements:
        if isinstance(statement, ClassDef):
            class_ = _class(statement, f"{module}.{statement.name.name}", outline)
            found.classes[class_.name] = class_
        elif isinstance(statement, Def):
            method = outline.method(statement)
            found.functions[f"{module}.{method.name}"] = method


class _Outline:
    """A code file whose bodies are cut out, and where each of them was.

    What is left may have `longest` characters; of a longer one, it is a beginning of more than that.
    """

    def __init__(self, code: CodeText, longest: int) -> None:
        self.code = code
        self._longest = longest
        self.sources: list[tuple[int, str]] = []  # line and text of each definition, in order
        self._next = 0
        self.source = Source(self._without_bodies(), f"code/{code.path}")

    def _without_bodies(self) -> str:
        bare, text = self.code.bare, self.code.text
        pieces: list[str] = []
        position, line, length = 0, 1, 0
        while length <= self._longest and (found := _HEAD.search(bare, position)) is not None:
            body = _head_end(bare, found.start())
            end = _body_end(bare, body, len(found[1].expandtabs(8)))
            pieces += [text[position:body], f" pass{_line_ends(text, body, end)}"]
            length += body - position
            line += text.count("\n", position, found.start())
            self.sources.append((line, _dedented(text[found.start() : end], len(found[1]))))
            line += text.count("\n", found.start(), end)
            position = end
        return "".join([*pieces, text[position:]])

    def method(self, definition: Def) -> Method:
        """The definition that comes next, whose body the outline has not."""
        line, source = self.sources[self._next]
        self._next += 1
        declaration = _declaration(definition)
        return Method(definition.name.name, declaration, source, self.code.path, line)

    def line(self, statement: Stmt) -> int:
        return self.source.position(statement.range.start)[0]


def _head_end(bare: str, start: int) -> int:
    """Behind the colon that ends the head of a definition."""
    depth = 0
    for found in _BRACKET_OR_COLON.finditer(bare, start):
        if found[0] in "([{":
            depth += 1
        elif found[0] in ")]}":
            depth -= 1
        elif depth == 0:
            return found.end()
    return len(bare)


def _body_end(bare: str, start: int, margin: int) -> int:
    """Where the first line begins that is indented no deeper than the head."""
    line = bare.find("\n", start) + 1 or len(bare)
    deeper = re.compile(rf"(?:[ \t]{{{margin + 1}}}[^\n]*\n?|[ \t]*\n)*+")
    found = deeper.match(bare, line)
    return line if found is None else found.end()


def _line_ends(text: str, start: int, end: int) -> str:
    """As many as a body had, so that lines keep their numbers."""
    return "\n" * text.count("\n", start, end) or "\n"


def _dedented(text: str, margin: int) -> str:
    lines = text.rstrip().split("\n")
    return "\n".join(line[margin:] if line[:margin].isspace() else line for line in lines) + "\n"


def _declaration(definition: Def) -> str:
    """``forward(self, x: Tensor) -> Tensor``: the head in one line, without the type of self."""
    head = _BLANKS.sub(" ", definition.head.text).removeprefix("def ").removesuffix(":")
    return re.sub(r"\(self ?: ?[\w.]+", "(self", head, count=1)


# Classes ----------------------------------------------------------------------------------------

_KINDS = {"Module": "module", "NamedTuple": "NamedTuple", "Enum": "enum", "Interface": "interface"}
_KINDS["ModuleInterface"] = "interface"


def _class(statement: ClassDef, name: str, outline: _Outline) -> ClassDeclaration:
    base = statement.superclass
    kind = _KINDS.get(base.range.text, "class") if base is not None else "class"
    class_ = ClassDeclaration(name, kind, outline.code.path, outline.line(statement))
    for each in statement.body:
        if isinstance(each, Def):
            method = outline.method(each)
            class_.methods[method.name] = method
        elif isinstance(each, Assign):
            _assign(class_, each)
    return class_


def _assign(class_: ClassDeclaration, statement: Assign) -> None:
    """One line of a class: a list of names, an attribute with its type, or a constant."""
    target, value = statement.lhs, statement.rhs
    name = target.name.name if isinstance(target, Var) else _subscripted(target)
    if name == "__parameters__" and value is not None:
        class_.parameters = _names(value)
    elif name == "__buffers__" and value is not None:
        class_.buffers = _names(value)
    elif name is None:
        return
    elif value is not None and not isinstance(target, Subscript):
        class_.constants[name] = _text(value)
    else:
        declared = statement.type if statement.type is not None else value
        class_.attributes[name] = "" if declared is None else _text(declared)


def _subscripted(target: Expr) -> str | None:
    """``__annotations__["0"]``: how names are declared that are no identifiers."""
    if isinstance(target, Subscript) and len(target.subscript_exprs) == 1:
        (key,) = target.subscript_exprs
        if isinstance(key, StringLiteral):
            return key.text
    return None


def _names(value: Expr) -> tuple[str, ...]:
    items = value.inputs if isinstance(value, (ListLiteral, TupleLiteral)) else ()
    return tuple(each.text for each in items if isinstance(each, (StringLiteral, Const)))


def _text(tree: Expr) -> str:
    """An expression in one line; the range of a tuple begins behind its bracket."""
    text = _BLANKS.sub(" ", tree.range.text)
    is_bare = isinstance(tree, TupleLiteral) and not text.startswith("(")
    return f"({text})" if is_bare else text
