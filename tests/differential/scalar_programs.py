"""Random programs on numbers, strings, lists and dicts which mean the same in CPython and in TorchScript.

Left out is what differs by design: ints beyond 64 bits (products are taken modulo a prime), division of
floats by zero, the text of floats, lists that change while they are iterated over.
"""

from __future__ import annotations

from .program_writer import ProgramWriter, Scope, program_of, programs_of

PARAMETERS = {
    "a": "int",
    "b": "int",
    "x": "float",
    "s": "str",
    "xs": "List[int]",
    "words": "List[str]",
}
RESULTS = ("int", "float", "bool", "str", "List[int]", "List[str]", "Dict[str, int]")
HEADER = (
    f"def f({', '.join(f'{name}: {type_}' for name, type_ in PARAMETERS.items())})"
    f" -> Tuple[{', '.join(RESULTS)}]:"
)
ARGUMENTS = [
    (3, -7, 1.5, "hello World", [4, -1, 9], ["b", "a", ""]),
    (0, 5, -2.25, "", [], []),
    (-12, 2, 0.0, "a,b;c d", [1, 1, 2, 3, 5, 8], ["x1", "y", "xx", "b"]),
]

RAISED = "by the program"
"""How the message of every error starts that a program raises itself."""

_TEXTS = ("", "a", "ab", "x-y", "Hello", " pad ", "42", "b,a", "é€", "aXbX")
_EXCEPTIONS = ("RuntimeError", "ValueError", "IndexError", "KeyError", "TypeError")
_COMPARISONS = ("<", ">", "==", "!=", "<=", ">=")
_LIMITS = {"str": "[:24]", "List[int]": "[:9]", "List[str]": "[:9]"}


class _ScalarWriter(ProgramWriter):
    def program(self, statements: int, depth: int) -> str:
        self.lines = [HEADER]
        scope = Scope()
        for name, type_ in PARAMETERS.items():
            scope.add(type_, name)
        self.write(1, "flag = a < b")
        self.write(1, "table: Dict[str, int] = {'k': a}")
        scope.add("bool", "flag")
        scope.add("Dict[str, int]", "table")
        for _ in range(statements):
            if self.statement(scope, depth, 1):
                break
        else:
            self.write(1, f"return {self.results(scope)}")
        return "\n".join(self.lines) + "\n"

    def results(self, scope: Scope) -> str:
        return "(" + ", ".join(self.expression(type_, scope, 1) for type_ in RESULTS) + ")"

    # -- Expressions ----------------------------------------------------------------------------

    def expression(self, type_: str, scope: Scope, depth: int = 2) -> str:
        """An expression of a type; it stands in parentheses where its precedence could matter."""
        if depth <= 0 or (scope.of(type_) and self.chance(30)):
            return self.leaf(type_, scope)
        maker = {
            "int": self.int_expression,
            "float": self.float_expression,
            "bool": self.bool_expression,
            "str": self.str_expression,
            "List[int]": self.ints_expression,
            "List[str]": self.strs_expression,
            "Dict[str, int]": self.dict_expression,
        }[type_]
        return maker(scope, depth - 1)

    def leaf(self, type_: str, scope: Scope) -> str:
        if scope.of(type_) and self.chance(70):
            return self.pick(scope.of(type_))
        match type_:
            case "int":
                return str(self.integer(-9, 20))
            case "float":
                return self.pick(("0.5", "-1.25", "3.0", "1e-3", "100.0", "0.1"))
            case "bool":
                return self.pick(("True", "False"))
            case "str":
                return repr(self.pick(_TEXTS))
            case "List[int]":
                return f"[{', '.join(str(self.integer(-5, 9)) for _ in range(self.integer(1, 4)))}]"
            case "List[str]":
                return f"[{', '.join(repr(self.pick(_TEXTS)) for _ in range(self.integer(1, 3)))}]"
            case _:
                return "{" + f"{self.pick(_TEXTS)!r}: {self.integer(0, 9)}" + "}"

    def int_expression(self, scope: Scope, depth: int) -> str:
        def of(type_: str) -> str:
            return self.expression(type_, scope, depth)

        match self.integer(0, 17):
            case 0 | 1:
                return f"({of('int')} {self.pick('+-')} {of('int')})"
            case 2:
                return f"({of('int')} * {of('int')} % 10007)"
            case 3:
                return f"({of('int')} {self.pick(('//', '%'))} {of('int')})"
            case 4:
                return f"{self.pick(('min', 'max'))}({of('int')}, {of('int')})"
            case 5:
                return f"abs({of('int')})"
            case 6:
                return f"({of('int')} {self.pick('&|^')} {of('int')})"
            case 7:
                return f"({of('int')} if {of('bool')} else {of('int')})"
            case 8:
                return f"len({of(self.pick(('str', 'List[int]', 'List[str]', 'Dict[str, int]')))})"
            case 9:
                return f"{of('List[int]')}[{of('int')}]"
            case 10:
                name = self.pick(("find", "count", "rfind"))
                sought = of("str")
                if name == "count":  # of nothing, PyTorch counts otherwise than Python
                    sought = f"('b' + {sought})"
                return f"{of('str')}.{name}({sought})"
            case 11:
                return f"sum({of('List[int]')})"
            case 12:
                return f"{of('Dict[str, int]')}[{of('str')}]"
            case 13:
                return f"{of('Dict[str, int]')}.get({of('str')}, {of('int')})"
            case 14:
                return f"int({of(self.pick(('bool', 'int')))})"
            case 15:
                return f"{of('List[int]')}.{self.pick(('count', 'index'))}({of('int')})"
            case 16:
                return f"{self.pick(('min', 'max'))}({of('List[int]')})"
            case _:
                return f"(-{of('int')})"

    def float_expression(self, scope: Scope, depth: int) -> str:
        def of(type_: str) -> str:
            return self.expression(type_, scope, depth)

        match self.integer(0, 8):
            case 0 | 1:
                return f"({of('float')} {self.pick('+-*')} {of('float')})"
            case 2:
                return f"({of('int')} / (abs({of('int')}) + 1))"
            case 3:
                return f"({of('float')} / (abs({of('float')}) + 0.5))"
            case 4:
                return f"math.sqrt(abs({of('float')}))"
            case 5:
                return f"{self.pick(('min', 'max'))}({of('float')}, {of('float')})"
            case 6:
                return f"float({of('int')})"
            case 7:
                return f"({of('float')} if {of('bool')} else {of('float')})"
            case _:
                return f"({of('float')} {self.pick('+-*')} {of('int')})"

    def bool_expression(self, scope: Scope, depth: int) -> str:
        def of(type_: str) -> str:
            return self.expression(type_, scope, depth)

        compared = self.pick(("int", "float", "str", "int"))
        match self.integer(0, 10):
            case 0 | 1 | 2:
                return f"({of(compared)} {self.pick(_COMPARISONS)} {of(compared)})"
            case 3:
                return f"(not {of('bool')})"
            case 4 | 5:
                return f"({of('bool')} {self.pick(('and', 'or'))} {of('bool')})"
            case 6:
                return f"({of('int')} in {of('List[int]')})"
            case 7:
                return f"({of('str')} in {of(self.pick(('str', 'List[str]', 'Dict[str, int]')))})"
            case 8:
                method = self.pick(("isdigit", "isalpha", "isupper", "islower", "isspace"))
                return f"{of('str')}.{method}()"
            case 9:
                return f"{of('str')}.{self.pick(('startswith', 'endswith'))}({of('str')})"
            case _:
                type_ = self.pick(("List[int]", "List[str]"))
                return f"({of(type_)} {self.pick(('==', '!='))} {of(type_)})"

    def str_expression(self, scope: Scope, depth: int) -> str:
        def of(type_: str) -> str:
            return self.expression(type_, scope, depth)

        match self.integer(0, 11):
            case 0 | 1:
                return f"({of('str')} + {of('str')})[:24]"
            case 2:
                return (
                    f"{of('str')}.{self.pick(('center', 'ljust', 'rjust'))}({self.integer(0, 9)})"
                )
            case 3:
                method = self.pick(
                    (
                        "upper",
                        "lower",
                        "strip",
                        "lstrip",
                        "rstrip",
                        "capitalize",
                        "title",
                        "swapcase",
                    )
                )
                return f"{of('str')}.{method}()"
            case 4:
                return f"{of('str')}.replace({of('str')}, {of('str')})[:24]"
            case 5:
                return f"{of('str')}{self.slice(scope, depth)}"
            case 6:
                return f"{of('str')}[{of('int')}]"
            case 7:
                return f"str({of('int')})"
            case 8:
                return "f'{" + of("int") + "}:{" + of("bool") + "}'" if depth <= 0 else of("str")
            case 9:
                return f"{of('str')}.join({of('List[str]')})[:24]"
            case 10:
                return f"chr(97 + {of('int')} % 26)"
            case _:
                return f"({of('str')} if {of('bool')} else {of('str')})"

    def ints_expression(self, scope: Scope, depth: int) -> str:
        def of(type_: str) -> str:
            return self.expression(type_, scope, depth)

        match self.integer(0, 7):
            case 0:
                return f"({of('List[int]')} + {of('List[int]')})[:9]"
            case 1:
                return f"{of('List[int]')}{self.slice(scope, depth)}"
            case 2:
                return f"sorted({of('List[int]')})"
            case 3:
                return f"list(range({of('int')} % 7))"
            case 4:
                return self.comprehension("int", f"range({of('int')} % 6)", "int", scope, depth)
            case 5:
                return self.comprehension("int", of("List[int]"), "int", scope, depth)
            case 6:
                return self.comprehension("int", of("List[str]"), "str", scope, depth)
            case _:
                return f"({of('List[int]')} * {self.integer(0, 2)})[:9]"

    def strs_expression(self, scope: Scope, depth: int) -> str:
        def of(type_: str) -> str:
            return self.expression(type_, scope, depth)

        match self.integer(0, 6):
            case 0:
                return f"({of('List[str]')} + {of('List[str]')})[:9]"
            case 1:
                return f"{of('List[str]')}{self.slice(scope, depth)}"
            case 2:
                return f"sorted({of('List[str]')})"
            case 3:
                return f"{of('str')}.split({self.pick((',', ' ', 'X', 'a'))!r})[:9]"
            case 4:
                return f"list({of('str')})[:9]"
            case 5:
                return self.comprehension("str", of("List[str]"), "str", scope, depth)
            case _:
                return self.comprehension("str", of("List[int]"), "int", scope, depth)

    def comprehension(self, made: str, iterated: str, item: str, scope: Scope, depth: int) -> str:
        name = self.fresh("e")
        inner = scope.inner()
        inner.add(item, name)
        condition = f" if {self.expression('bool', inner, depth)}" if self.chance(30) else ""
        return f"[{self.expression(made, inner, depth)} for {name} in {iterated}{condition}]"

    def dict_expression(self, scope: Scope, depth: int) -> str:
        if self.chance(50):
            return (
                "{"
                + f"{self.expression('str', scope, depth)}: {self.expression('int', scope, depth)}"
                + "}"
            )
        name = self.fresh("e")
        inner = scope.inner()
        inner.add("str", name)
        words = self.expression("List[str]", scope, depth)
        return "{" + f"{name}: {self.expression('int', inner, depth)} for {name} in {words}" + "}"

    def slice(self, scope: Scope, depth: int) -> str:
        start = self.expression("int", scope, depth) if self.chance(60) else ""
        stop = self.expression("int", scope, depth) if self.chance(60) else ""
        step = f":{self.integer(1, 3)}" if self.chance(25) else ""
        return f"[{start}:{stop}{step}]"

    # -- Statements -----------------------------------------------------------------------------

    def statement(self, scope: Scope, depth: int, indent: int) -> bool:
        kinds = (self.assignment, self.assignment, self.container_change, self.printing)
        if depth > 0 and self.chance(45):
            self.pick((self.conditional, self.for_loop, self.for_loop, self.while_loop))(
                scope, depth, indent
            )
            return False
        if self.chance(8):
            return self.jump(scope, indent)
        self.pick(kinds)(scope, indent)
        return False

    def assignment(self, scope: Scope, indent: int) -> None:
        type_ = self.pick(RESULTS)
        known = scope.changeable(type_)
        if type_ == "int" and known and self.chance(25):
            value = self.expression("int", scope)
            self.write(indent, f"{self.pick(known)} {self.pick(('+=', '-='))} {value}")
            return
        value = self.expression(type_, scope)
        name = self.pick(known) if known and self.chance(60) else self.fresh("v")
        self.write(indent, f"{name} = {value}{_LIMITS.get(type_, '')}")
        scope.add(type_, name)

    def container_change(self, scope: Scope, indent: int) -> None:
        if self.chance(30) and (tables := scope.changeable("Dict[str, int]")):
            self.write(indent, self.dict_change(self.pick(tables), scope))
        elif lists := scope.changeable("List[int]"):
            self.write(indent, self.list_change(self.pick(lists), "int", scope))
        elif lists := scope.changeable("List[str]"):
            self.write(indent, self.list_change(self.pick(lists), "str", scope))
        else:
            self.printing(scope, indent)

    def list_change(self, name: str, item: str, scope: Scope) -> str:
        value, place = self.expression(item, scope, 1), self.expression("int", scope, 1)
        return self.pick(
            (
                f"{name}.append({value})",
                f"{name}.insert({place}, {value})",
                f"{name}.pop()",
                f"{name}.pop({place})",
                f"{name}.sort()",
                f"{name}.sort(reverse=True)",
                f"{name}.reverse()",
                f"{name}.remove({value})",
                f"{name}.extend({self.expression(f'List[{item}]', scope, 1)}[:2])",
                f"{name}.clear()",
                f"del {name}[{place}]",
                f"{name}[{place}] = {value}",
            )
        )

    def dict_change(self, name: str, scope: Scope) -> str:
        key, value = self.expression("str", scope, 1), self.expression("int", scope, 1)
        return self.pick(
            (
                f"{name}[{key}] = {value}",
                f"{name}.pop({key})",
                f"{name}.update({self.expression('Dict[str, int]', scope, 1)})",
                f"{name}.setdefault({key}, {value})",
                f"del {name}[{key}]",
            )
        )

    def printing(self, scope: Scope, indent: int) -> None:
        self.write(
            indent, f"print({self.expression('int', scope, 1)}, {self.expression('str', scope, 1)})"
        )

    def jump(self, scope: Scope, indent: int) -> bool:
        if scope.in_loop and self.chance(60):
            self.write(indent, self.pick(("break", "continue")))
        elif self.chance(50):
            self.write(indent, f"return {self.results(scope)}")
        elif self.chance(50):
            self.write(
                indent,
                f"raise {self.pick(_EXCEPTIONS)}({RAISED!r} + {self.expression('str', scope, 1)})",
            )
        else:
            self.write(indent, f"assert {self.expression('bool', scope, 1)}, {RAISED!r}")
            return False
        return True

    def conditional(self, scope: Scope, depth: int, indent: int) -> None:
        self.write(indent, f"if {self.expression('bool', scope)}:")
        self.block(scope.inner(), depth - 1, indent + 1)
        if self.chance(30):
            self.write(indent, f"elif {self.expression('bool', scope)}:")
            self.block(scope.inner(), depth - 1, indent + 1)
        if self.chance(50):
            self.write(indent, "else:")
            self.block(scope.inner(), depth - 1, indent + 1)

    def for_loop(self, scope: Scope, depth: int, indent: int) -> None:
        name, other = self.fresh("i"), self.fresh("j")
        targets, iterated, types = self.pick(
            (
                (name, f"range({self.expression('int', scope, 1)} % 6)", {name: "int"}),
                (name, f"range(-2, {self.integer(-2, 9)}, {self.integer(1, 4)})", {name: "int"}),
                (name, f"range({self.integer(0, 9)}, -2, -{self.integer(1, 4)})", {name: "int"}),
                (name, self.pick(scope.of("List[int]")), {name: "int"}),
                (name, self.pick(scope.of("List[str]")), {name: "str"}),
                (name, self.pick(scope.of("str")), {name: "str"}),
                (
                    f"{name}, {other}",
                    f"enumerate({self.pick(scope.of('List[str]'))})",
                    {name: "int", other: "str"},
                ),
                (
                    f"{name}, {other}",
                    f"zip({self.pick(scope.of('List[int]'))}, {self.pick(scope.of('List[str]'))})",
                    {name: "int", other: "str"},
                ),
                (
                    f"{name}, {other}",
                    f"{self.pick(scope.of('Dict[str, int]'))}.items()",
                    {name: "str", other: "int"},
                ),
            )
        )
        self.write(indent, f"for {targets} in {iterated}:")
        containers = [
            n
            for type_ in ("List[int]", "List[str]", "Dict[str, int]", "str")
            for n in scope.of(type_)
        ]
        inner = scope.inner(in_loop=True, frozen=[n for n in containers if n in iterated])
        for target, type_ in types.items():
            inner.add(type_, target)
        self.block(inner, depth - 1, indent + 1)

    def while_loop(self, scope: Scope, depth: int, indent: int) -> None:
        fuel = self.fresh("fuel")
        self.write(indent, f"{fuel} = {self.integer(1, 4)}")
        self.write(indent, f"while {fuel} > 0 and {self.expression('bool', scope)}:")
        self.write(indent + 1, f"{fuel} -= 1")
        self.block(scope.inner(in_loop=True), depth - 1, indent + 1)


scalar_programs = programs_of(_ScalarWriter, 6)
"""Source texts of functions ``f`` as `HEADER` declares them."""


def scalar_program(seed: int) -> str:
    """One of them, always the same for a seed."""
    return program_of(_ScalarWriter, 6, seed)
