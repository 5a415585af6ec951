"""Trees of CPython's ``ast`` written as our s-expressions, to compare the two parsers."""

from __future__ import annotations

import ast

BINARY = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "floordiv",
    ast.Mod: "%",
    ast.MatMult: "@",
    ast.Pow: "pow operator",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
COMPARISONS = {
    ast.Lt: "<",
    ast.Gt: ">",
    ast.LtE: "le",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
}
UNARY = {ast.USub: "unary minus", ast.UAdd: "unary plus", ast.Invert: "~", ast.Not: "not"}


def python_tree(text: str) -> str:
    """The s-expression, on one line, of what CPython reads in an expression."""
    return convert(ast.parse(f"({text}\n)", mode="eval").body)


def convert(node: ast.expr) -> str:
    match node:
        case ast.Name("Ellipsis"):
            return "(dots)"
        case ast.Name(name):
            return f"(variable (ident {name}))"
        case ast.Constant():
            return constant(node.value)
        case ast.BinOp(left, operator, right):
            return f"({BINARY[type(operator)]} {convert(left)} {convert(right)})"
        case ast.UnaryOp(ast.USub(), ast.Constant(value)) if is_number(value):
            return f"(const -{value!r})"
        case ast.UnaryOp(operator, operand):
            return f"({UNARY[type(operator)]} {convert(operand)})"
        case ast.BoolOp(operator, values):
            name = "and" if isinstance(operator, ast.And) else "or"
            result = convert(values[0])
            for value in values[1:]:
                result = f"({name} {result} {convert(value)})"
            return result
        case ast.Compare():
            return comparison(node)
        case ast.IfExp(test, body, orelse):
            return f"(if {convert(test)} {convert(body)} {convert(orelse)})"
        case ast.Attribute(value, name):
            return f"(. {convert(value)} (ident {name}))"
        case ast.Call(callee, arguments, keywords):
            return call(callee, arguments, keywords)
        case ast.Subscript(value, index):
            items = index.elts if isinstance(index, ast.Tuple) and index.elts else [index]
            return f"(subscript {convert(value)} {sequence(items)})"
        case ast.Slice(lower, upper, step):
            return f"(slice expr {option(lower)} {option(upper)} {option(step)})"
        case ast.Tuple(elements):
            return f"(tuple-literal {sequence(elements)})"
        case ast.List(elements):
            return f"(list-literal {sequence(elements)})"
        case ast.Set(elements):
            return f"(set-literal {sequence(elements)})"
        case ast.Dict(keys, values):
            return dictionary(keys, values)
        case ast.Starred(value):
            return f"(starred {convert(value)})"
        case ast.ListComp(elt, generators):
            return f"(list comprehension {convert(elt)} {clauses(generators)})"
        case ast.GeneratorExp(elt, generators):
            return f"(generator expression {convert(elt)} {clauses(generators)})"
        case ast.DictComp(key, value, generators):
            return f"(dict comprehension {convert(key)} {convert(value)} {clauses(generators)})"
        case ast.SetComp(elt, generators):
            return f"(set comprehension {convert(elt)} {clauses(generators)})"
        case ast.JoinedStr(values):
            return format_string(values)
        case ast.Lambda(arguments, body):
            from .python_statements import parameters

            return f"(lambda (decl {parameters(arguments)} (option)) {convert(body)})"
        case ast.NamedExpr() | ast.Yield() | ast.YieldFrom() | ast.Await():
            return "(unsupported)"
        case _:
            raise NotImplementedError(ast.dump(node))


def call(callee: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword]) -> str:
    """``**mapping`` stands among the inputs, in the order of the text."""
    positioned = [(node, convert(node)) for node in arguments]
    positioned += [
        (keyword.value, f"(double-starred {convert(keyword.value)})")
        for keyword in keywords
        if keyword.arg is None
    ]
    positioned.sort(key=lambda pair: (pair[0].lineno, pair[0].col_offset))
    attributes = [
        f"(attribute (ident {keyword.arg}) {convert(keyword.value)})"
        for keyword in keywords
        if keyword.arg is not None
    ]
    inputs = listed([text for _, text in positioned])
    return f"(apply {convert(callee)} {inputs} {listed(attributes)})"


def dictionary(keys: list[ast.expr | None], values: list[ast.expr]) -> str:
    left, right = list[str](), list[str]()
    for key, value in zip(keys, values):
        starred = f"(double-starred {convert(value)})"
        left.append(starred if key is None else convert(key))
        right.append(starred if key is None else convert(value))
    return f"(dict-literal {listed(left)} {listed(right)})"


def comparison(node: ast.Compare) -> str:
    operands = [node.left, *node.comparators]
    result = ""
    for operator, left, right in zip(node.ops, operands, operands[1:]):
        if isinstance(operator, ast.NotIn):
            part = f"(not (in {convert(left)} {convert(right)}))"
        else:
            part = f"({COMPARISONS[type(operator)]} {convert(left)} {convert(right)})"
        result = f"(and {result} {part})" if result else part
    return result


def constant(value: object) -> str:
    if value is Ellipsis:
        return "(dots)"
    if value is None or isinstance(value, bool):
        return f"({value})"
    if isinstance(value, str):
        return f"(string_literal {value})"
    if isinstance(value, bytes):
        return "(unsupported)"
    return f"(const {value!r})"


def is_number(value: object) -> bool:
    return isinstance(value, int | float | complex) and not isinstance(value, bool)


def clauses(generators: list[ast.comprehension]) -> str:
    first, *others = generators
    parts = [convert(first.target), convert(first.iter)]
    if first.ifs:
        parts.append(sequence(first.ifs))
    if others:
        parts.append(listed([clause(generator) for generator in others]))
    return " ".join(parts)


def clause(generator: ast.comprehension) -> str:
    target, iter = convert(generator.target), convert(generator.iter)
    return f"(comprehension {target} {iter} {sequence(generator.ifs)})"


def format_string(values: list[ast.expr]) -> str:
    template, inputs = "", list[ast.expr]()
    for value in values:
        if isinstance(value, ast.FormattedValue):
            template += "{}"
            inputs.append(value.value)
        elif isinstance(value, ast.Constant):
            template += str(value.value)
    callee = f"(. (string_literal {template}) (ident format))"
    return f"(apply {callee} {sequence(inputs)} (list))"


def option(node: ast.expr | None) -> str:
    return "(option)" if node is None else f"(option {convert(node)})"


def sequence(nodes: list[ast.expr]) -> str:
    return listed([convert(node) for node in nodes])


def listed(parts: list[str]) -> str:
    return "(" + " ".join(["list", *parts]) + ")"
