"""Names of a source text: imports, functions, constants, types."""

from collections.abc import Callable

import pytest

from tests.emit.stand_in import RANGE, StandIn
from tsc.compiler.emit.protocols import SugaredValue
from tsc.compiler.emit.resolvers.other_texts import LoadModule
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.emit.sugared_values import (
    BuiltinFunction,
    ConstantTable,
    ExceptionClass,
    FunctionValue,
    NamespaceValue,
    SpecialFormValue,
)
from tsc.compiler.frontend.parser import parse_source
from tsc.compiler.ir import Function, constant_value, prim
from tsc.compiler.schema import parse_schema
from tsc.compiler.source import CompileError, Source
from tsc.compiler.types import FLOAT, INT, STRING, TENSOR, ListType, TupleType


def resolver_of(
    text: str,
    load_module: LoadModule[SourceResolver] | None = None,
    constants: tuple[object, ...] = (),
) -> SourceResolver:
    module = parse_source(Source(text))
    functions = {
        each.name.name: Function(each.name.name, schema=parse_schema("f() -> int"))
        for each in module.definitions
    }
    return SourceResolver(
        module, functions, lambda _: None, load_module=load_module, constants=constants
    )


def resolve(text: str, name: str, *, strict: bool = False) -> SugaredValue | None:
    return resolver_of(text).resolve_value(name, StandIn(strict=strict), RANGE)


def constant_of(text: str, name: str) -> object:
    emitter = StandIn()
    found = resolver_of(text).resolve_value(name, emitter, RANGE)
    assert found is not None
    return constant_value(found.as_value(RANGE, emitter))


@pytest.mark.parametrize(
    ("text", "name", "path"),
    [
        ("import torch\n", "torch", "torch"),
        ("import torch.nn.functional\n", "torch", "torch"),
        ("import torch.nn.functional as F\n", "F", "torch.nn.functional"),
        ("from torch.nn import functional as F\n", "F", "torch.nn.functional"),
        ("from torch import nn\n", "nn", "torch.nn"),
        ("import math as m\n", "m", "math"),
        ("", "torch", "torch"),
        ("", "math", "math"),
        ("", "F", "torch.nn.functional"),
    ],
)
def test_imports_of_known_modules(text: str, name: str, path: str) -> None:
    found = resolve(text, name)
    assert isinstance(found, NamespaceValue)
    assert found.path == path


def test_names_can_be_imported_one_by_one_or_all() -> None:
    assert constant_of("from math import pi as circle\n", "circle") == pytest.approx(3.14159265)
    assert constant_of("from math import *\n", "tau") == pytest.approx(6.2831853)
    sqrt = resolve("from math import *\n", "sqrt")
    assert isinstance(sqrt, BuiltinFunction)
    annotate = resolve("from torch.jit import annotate\n", "annotate")
    assert isinstance(annotate, SpecialFormValue)


def test_functions_are_found_in_any_order_and_builtins_hide_them() -> None:
    text = "".join(f"def {name}() -> int:\n    return 1\n" for name in ("f", "g", "sum"))
    assert isinstance(resolve(text, "g"), FunctionValue)
    assert isinstance(resolve(text, "sum"), BuiltinFunction)
    assert resolve(text, "h") is None


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("3", 3),
        ("-2.5", -2.5),
        ("'a' 'b'", "ab"),
        ("True", True),
        ("None", None),
        ("2 ** 10 - 1", 1023),
        ("7 // 2", 3),
        ("1 << 4 | 1", 17),
        ("BASE * 2", 20),
        ("math.pi", 3.141592653589793),
        ("math.sqrt(16)", 4.0),
        ("torch.float64", 7),
        ("float('inf')", float("inf")),
        ("+".join(["1"] * 3000), 3000),
    ],
)
def test_constants_of_the_module(expression: str, value: object) -> None:
    text = f"import math\nimport torch\nBASE = 10\nC = {expression}\n"
    assert constant_of(text, "C") == value


@pytest.mark.parametrize(
    ("assignment", "type"),
    [
        ("C = (1, 'a')", TupleType((INT, STRING))),
        ("C = [1, 2]", ListType(INT)),
        ("C: List[str] = []", ListType(STRING)),
        ("C = []", ListType(TENSOR)),
        ("C = [[1.0], [2.0]]", ListType(ListType(FLOAT))),
    ],
)
def test_containers_are_made_anew_wherever_they_are_used(assignment: str, type: object) -> None:
    emitter = StandIn()
    found = resolver_of(f"from typing import List\n{assignment}\n").resolve_value(
        "C", emitter, RANGE
    )
    assert found is not None
    value = found.as_value(RANGE, emitter)
    assert value.type == type
    assert value.node.kind in ("prim::ListConstruct", "prim::TupleConstruct")


def test_dictionaries_too() -> None:
    emitter = StandIn()
    found = resolver_of("C = {'a': 1, 'b': 2}\n").resolve_value("C", emitter, RANGE)
    assert found is not None
    value = found.as_value(RANGE, emitter)
    assert str(value.type) == "Dict(str, int)"
    assert len(value.node.inputs) == 4


@pytest.mark.parametrize(
    "assignment",
    ["C = open('file')", "C = C", "C = 1 / 0", "C = 2 ** 100000", "C = f(3)", "C = [1, 'a']"],
)
def test_what_is_no_constant_is_refused_where_it_is_used(assignment: str) -> None:
    with pytest.raises(CompileError):
        resolve(f"{assignment}\n", "C")


def test_strict_refuses_constants_of_the_module_as_pytorch_does() -> None:
    with pytest.raises(CompileError, match="python value of type 'int' cannot be used as a value"):
        resolve("C = 3\n", "C", strict=True)


def test_unknown_modules_are_refused_when_they_are_used() -> None:
    emitter = StandIn()
    numpy = resolver_of("import numpy as np\n").resolve_value("np", emitter, RANGE)
    assert numpy is not None
    with pytest.raises(CompileError, match="module 'numpy' is not available in TorchScript"):
        numpy.attribute(RANGE, emitter, "zeros")


def test_sibling_files_are_asked_of_the_loader() -> None:
    sibling = resolver_of("SIZE = 7\nPair = int\ndef helper() -> int:\n    return 1\n")
    asked: list[tuple[str, int]] = []

    def load(path: str, level: int) -> SourceResolver:
        asked.append((path, level))
        return sibling

    text = "import other\nfrom .package import helper, Pair\nfrom wild import *\n"
    resolver = resolver_of(text, load)
    emitter = StandIn()
    assert isinstance(resolver.resolve_value("helper", emitter, RANGE), FunctionValue)
    other = resolver.resolve_value("other", emitter, RANGE)
    assert other is not None
    size = other.attribute(RANGE, emitter, "SIZE").as_value(RANGE, emitter)
    assert constant_value(size) == 7
    assert resolver.resolve_value("SIZE", emitter, RANGE) is not None
    assert resolver.resolve_type("Pair", RANGE) == INT
    assert set(asked) == {("package", 1), ("other", 0), ("wild", 0)}


def test_types_may_be_named_by_the_module() -> None:
    text = (
        "from typing import List, NamedTuple\n"
        "from torch import Tensor\n"
        "Shape = List[int]\n"
        "class Point(NamedTuple):\n"
        '    "A point."\n'
        "    x: Tensor\n"
        "    shape: Shape\n"
        "    scale: float = 1.5\n"
    )
    resolver = resolver_of(text)
    assert resolver.resolve_type("Shape", RANGE) == ListType(INT)
    point = resolver.resolve_type("Point", RANGE)
    assert isinstance(point, TupleType)
    assert point.field_names == ("x", "shape", "scale")
    assert point.defaults == (1.5,)
    emitter = StandIn()
    constructor = resolver.resolve_value("Point", emitter, RANGE)
    assert constructor is not None
    value = emitter.call_value(constructor, emitter.input("x"), [1, 2])
    assert value.type == point
    assert value.node.kind == "prim::TupleConstruct"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "NamedTuple('P', [('x', int), ('y', Tensor)])",
            TupleType((INT, TENSOR), "__torch__.P", ("x", "y")),
        ),
        ("namedtuple('P', ['x', 'y'])", TupleType((TENSOR, TENSOR), "__torch__.P", ("x", "y"))),
        ("namedtuple('P', 'x y')", TupleType((TENSOR, TENSOR), "__torch__.P", ("x", "y"))),
    ],
)
def test_named_tuples_may_be_made_by_a_call(text: str, expected: TupleType) -> None:
    head = "from typing import NamedTuple\nfrom collections import namedtuple\n"
    assert resolver_of(f"{head}P = {text}\n").resolve_type("P", RANGE) == expected


def test_modules_are_refused_by_name() -> None:
    text = "import torch.nn as nn\nclass Counter(nn.Module):\n    pass\n"
    found = resolve(text, "Counter")  # its static methods can be called
    assert found is not None
    with pytest.raises(CompileError, match="class 'Counter' is an nn"):
        found.call(RANGE, StandIn(), [], [], 1)
    with pytest.raises(CompileError, match="class 'Counter' is an nn"):
        found.attribute(RANGE, StandIn(), "count")


@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("annotate", lambda found: found.form == "prim::annotate"),
        ("unchecked_cast", lambda found: found.form == "prim::unchecked_cast"),
        ("uninitialized", lambda found: found.form == "prim::Uninitialized"),
    ],
)
def test_names_of_the_serialized_form(name: str, check: Callable[[SugaredValue], bool]) -> None:
    found = resolve("", name)
    assert found is not None
    assert check(found)


def test_serialized_constants_operators_and_functions() -> None:
    emitter = StandIn()
    resolver = resolver_of("def f() -> int:\n    return 1\n", constants=("zero", "one"))
    table = resolver.resolve_value("CONSTANTS", emitter, RANGE)
    assert isinstance(table, ConstantTable)
    one = table.attribute(RANGE, emitter, "c1").as_value(RANGE, emitter)
    assert constant_value(one) == "one"
    operators = resolver.resolve_value("ops", emitter, RANGE)
    assert operators is not None
    found = operators.attribute(RANGE, emitter, "prim").attribute(RANGE, emitter, "min")
    assert isinstance(found, BuiltinFunction)
    package = resolver.resolve_value("__torch__", emitter, RANGE)
    assert package is not None
    assert isinstance(package.attribute(RANGE, emitter, "f"), FunctionValue)
    with pytest.raises(CompileError, match=r"Unknown function __torch__\.g"):
        emitter.call(package.attribute(RANGE, emitter, "g"))


def test_functions_left_to_python_are_not_compiled_and_raise() -> None:
    text = (
        "import torch\n"
        "@torch.jit.ignore\n"
        "def outside():\n    return open('file')\n"
        "@torch.jit.unused\n"
        "def unused(x) -> int:\n    return x.numpy()\n"
        "@torch.jit.script\n"
        "def inside() -> int:\n    return 1\n"
    )
    resolver = resolver_of(text)
    assert [each.name.name for each in resolver.definitions] == ["unused", "inside"]
    assert [each.kind for each in resolver.definitions[0].statements] == ["raise"]
    assert [each.kind for each in resolver.definitions[1].statements] == ["return"]
    emitter = StandIn()
    outside = resolver.resolve_value("outside", emitter, RANGE)
    assert outside is not None
    outside.call(RANGE, emitter, [], [], 0)
    assert [node.kind for node in emitter.graph.nodes()][-1:] == [prim.PythonOp]


def test_exception_classes_are_known_by_their_full_names() -> None:
    text = (
        "class Refused(ValueError):\n"
        "    def __init__(self, reason):\n        super().__init__(reason)\n"
        "class TooLarge(Refused):\n    pass\n"
    )
    for filename, full_name in (("limits.py", "limits.TooLarge"), ("<text>", "__torch__.TooLarge")):
        module = parse_source(Source(text, filename))
        resolver = SourceResolver(module, {}, lambda _module: None)
        found = resolver.resolve_value("TooLarge", StandIn(), RANGE)
        assert isinstance(found, ExceptionClass)
        assert found.qualified_name == full_name
