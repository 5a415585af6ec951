"""The IR parser: what the text says is kept, the rest is looked up, errors have a place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tsc.compiler.printing  # noqa: F401  str(graph) needs the printer
from tsc.compiler.ir import (
    ConstantText,
    Function,
    Graph,
    called_function,
    constant_value,
    parse_ir,
    prim,
)
from tsc.compiler.source import UNKNOWN_RANGE, CompileError
from tsc.compiler.types import (
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    STRING,
    ClassType,
    Device,
    DictType,
    ListType,
    OptionalType,
    TupleType,
    Type,
)

from .graphs import OPERATORS, only_node

FROM_THE_OVERVIEW = """graph(%0 : Double(2),
      %1 : Double(2)):
  %2 : int = prim::Constant[value=1]()
  %3 : Double(2) = aten::add(%0, %1, %2)
  %4 : Double(2) = aten::mul(%3, %3)
  %5 : Double(2) = aten::mul(%4, %3)
  %6 : Double(2) = aten::tanh(%5)
  %7 : Double(2) = aten::add(%6, %6, %2)
  %8 : Double(2) = aten::add(%5, %7, %2)
  return (%8)
"""

BRANCH_FROM_THE_OVERVIEW = """graph(%a : Tensor,
      %b : Tensor,
      %c : Tensor):
  %2 : int = prim::Constant[value=1]()
  %3 : Tensor = aten::add(%a, %b, %2)
  %5 : Tensor = prim::If(%c)
    block0():
      %6 : int = prim::Constant[value=1]()
      %7 : Tensor = aten::add(%3, %3, %6)
      -> (%7)
    block1():
      %8 : int = prim::Constant[value=1]()
      %9 : Tensor = aten::add(%b, %3, %8)
      -> (%9)
  return (%5)
"""

LOOP_FROM_THE_OVERVIEW = """graph(%z.1 : Tensor):
  %3 : bool = prim::Constant[value=1]()
  %1 : int = prim::Constant[value=0]()
  %2 : int = aten::size(%z.1, %1)
  %z : Tensor = prim::Loop(%2, %3, %z.1)
    block0(%i : int, %5 : Tensor):
      %z.2 : Tensor = aten::mul(%5, %5)
      -> (%3, %z.2)
  return (%z)
"""

WITH_FROM_THE_OVERVIEW = """graph(%c.1 : __torch__.Multiplier,
      %x.1 : Tensor):
  %4 : int = prim::Constant[value=1]()
  %mult.1 : int = prim::Enter(%c.1)
   = prim::With()
    block0():
      %y.1 : Tensor = aten::add(%x.1, %mult.1, %4)
      -> ()
    block1():
      %11 : Tensor = prim::Exit(%c.1)
      -> ()
  return ()
"""


@pytest.mark.parametrize(
    "text",
    [
        FROM_THE_OVERVIEW,
        BRANCH_FROM_THE_OVERVIEW,
        LOOP_FROM_THE_OVERVIEW,
        WITH_FROM_THE_OVERVIEW,
    ],
)
def test_examples_of_the_overview_are_read(text: str) -> None:
    assert str(parse_ir(text)) == text


def test_blanks_and_comments_are_free() -> None:
    graph = parse_ir(
        """
        # A comment.
        graph ( %x:int , %y ) :   # Another one.
            # And one here.
            %z = aten::add ( %x , %y )
          return(%z)
        # The end.
        """
    )
    assert str(graph) == (
        "graph(%x : int,\n      %y : Tensor):\n  %z : Tensor = aten::add(%x, %y)\n  return (%z)\n"
    )


def test_places_in_the_source_are_kept() -> None:
    text = (
        "graph(%x : int):\n"
        "  %1 : int = aten::neg(%x) # a file: (1).py:12:4\n"
        "  %2 : int = aten::neg(%1)\n"
        "  %3 : int = aten::neg(%2), scope: __module.a/b # x.py:1:0\n"
        "  return (%3)\n"
    )
    graph = parse_ir(text)
    first, second, third = graph.nodes()
    assert (first.range.filename, first.range.line, first.range.column) == ("a file: (1).py", 12, 4)
    assert second.range is UNKNOWN_RANGE
    assert third.scope == "__module.a/b"
    assert str(graph) == text


class TestNames:
    def test_numbers_are_kept_and_counted_on(self) -> None:
        graph = parse_ir("graph(%7 : int, %x):\n  %3 : int = a::b(%7)\n  return (%3)\n")
        assert [value.unique for value in graph.inputs] == [7, 8]
        assert graph.add_input().debug_name == "9"
        graph.lint()

    def test_a_name_is_known_until_its_block_ends(self) -> None:
        graph = parse_ir(
            "graph(%c : bool, %x : int):\n  %y : int = prim::If(%c)\n"
            "    block0():\n      %x : int = aten::neg(%x)\n      -> (%x)\n"
            "    block1():\n      -> (%x)\n  return (%y)\n"
        )
        inner, outer = only_node(graph, "aten::neg"), graph.inputs[1]
        assert inner.input is outer
        branch = only_node(graph, prim.If)
        assert branch.blocks[0].outputs[0] is inner.output
        assert branch.blocks[1].outputs[0] is outer
        graph.lint()

    def test_a_number_given_twice_is_renewed(self) -> None:
        graph = parse_ir("graph(%0 : int):\n  %0 : int = aten::neg(%0)\n  return (%0)\n")
        assert [value.unique for value in (*graph.inputs, *graph.outputs)] == [0, 1]

    def test_odd_names_are_names(self) -> None:
        text = "graph(%self.0.weight : Tensor,\n      %4.2 : Tensor):\n  return (%self.0.weight)\n"
        assert str(parse_ir(text)) == text


def constant(text: str, type: str) -> object:
    graph = parse_ir(f"graph():\n  %0 : {type} = prim::Constant[value={text}]()\n  return (%0)\n")
    graph.lint()
    return constant_value(graph.outputs[0])


@pytest.mark.parametrize(
    ("text", "type", "value"),
    [
        ("1", "int", 1),
        ("1", "bool", True),
        ("0", "bool", False),
        ("10000000000", "float", 1e10),
        ("1.0000000000000001e-05", "float", 1e-5),
        ("-inf", "float", -float("inf")),
        ("3.+2.j", "complex", 3 + 2j),
        ("-0.-2.5j", "complex", complex(-0.0, -2.5)),
        ('"cpu"', "Device", Device("cpu")),
        ('"cuda:1"', "Device", Device("cuda", 1)),
        (r'"a\'b\"\\\n\001"', "str", "a'b\"\\\n\x01"),
        (r'"\0)+\/0,"', "str", "ü"),
        ("[1, 2]", "float[]", [1.0, 2.0]),
        ("annotate(List[Optional[int]], [1, None])", "int?[]", [1, None]),
        ("annotate(Dict[str, int],{})", "Dict(str, int)", {}),
        ('{"a": [1, 2], "b": annotate(List[int], [])}', "Dict(str, int[])", {"a": [1, 2], "b": []}),
        ('(1, ("b", 2.5), [True])', "(int, (str, float), bool[])", (1, ("b", 2.5), [True])),
        ("(1,)", "(int)", (1,)),
        ('[torch.device("cpu")]', "Device[]", [Device("cpu")]),
        ("5", "int?", 5),
    ],
)
def test_constants_are_read_by_their_type(text: str, type: str, value: object) -> None:
    found = constant(text, type)
    assert found == value
    assert repr(found) == repr(value)


@pytest.mark.parametrize(
    "text",
    [
        "{1}",
        "<Tensor>",
        " 1  2 [ CPULongType{2} ]",
        "(1,.,.) =   1  1   1  1 [ CPUFloatType{1,2,2} ]",
    ],
)
def test_tensors_are_known_by_their_text(text: str) -> None:
    found = constant(text, "Tensor")
    assert isinstance(found, ConstantText)
    assert found.text == text


CONSTANT_TYPES: dict[Type, st.SearchStrategy[object]] = {
    INT: st.integers(-(2**63), 2**63 - 1),
    BOOL: st.booleans(),
    FLOAT: st.floats(),
    COMPLEX: st.complex_numbers(),
    STRING: st.text(),
    DEVICE: st.sampled_from([Device("cpu"), Device("cuda", 3)]),
}


def typed_constants() -> st.SearchStrategy[tuple[Type, object]]:
    def strategy(type: Type) -> st.SearchStrategy[object]:
        if isinstance(type, ListType):
            return st.lists(strategy(type.element), max_size=3)
        if isinstance(type, TupleType):
            return st.tuples(*map(strategy, type.elements))
        if isinstance(type, DictType):
            return st.dictionaries(strategy(type.key), strategy(type.value), max_size=3)
        if isinstance(type, OptionalType):
            return st.none() | strategy(type.element)
        return CONSTANT_TYPES[type]

    def compound(inner: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
        return st.one_of(
            inner.map(ListType),
            st.lists(inner, max_size=3).map(lambda types: TupleType(tuple(types))),
            st.tuples(st.sampled_from([INT, STRING]), inner).map(lambda pair: DictType(*pair)),
            inner.filter(lambda type: not isinstance(type, OptionalType)).map(OptionalType),
        )

    types = st.recursive(st.sampled_from(list(CONSTANT_TYPES)), compound, max_leaves=4)
    return types.flatmap(lambda type: st.tuples(st.just(type), strategy(type)))


@given(typed_constants())
def test_every_constant_is_read_as_it_was_printed(typed: tuple[Type, object]) -> None:
    type, value = typed
    graph = Graph()
    graph.register_output(graph.insert_constant(value, type))
    again = parse_ir(str(graph))
    assert str(again) == str(graph)
    assert repr(constant_value(again.outputs[0])) == repr(value)


@pytest.mark.parametrize(
    "attributes",
    [
        'n=3, x=-0.5, s="a, b]", c=2.+1.j',
        "types=[int, Tensor(requires_grad=1), (int, str), Dict(str, int)[], NoneType, __torch__.A]",
        "type=(int, str)[]",
        'numbers=[1, 2], floats=[0.5, 1.], strings=["a", "b"]',
        "none=annotate(List[int], []), floats=annotate(List[float], [])",
        "graph=<Graph>, graphs=[<Graphs>], tensors=[<Tensors>], tensor=<Tensor>, one={0.5}",
        "t= 1  1 [ CPUFloatType{2} ], n=1",
    ],
)
def test_attributes_are_read_as_they_were_printed(attributes: str) -> None:
    text = f"graph():\n  %0 : Tensor = custom::a[{attributes}]()\n  return (%0)\n"
    graph = parse_ir(text)
    graph.lint()
    assert str(graph) == text


def test_types_among_attributes_are_types() -> None:
    graph = parse_ir(
        "graph(%x):\n  %0 : bool = prim::isinstance[types=[int, str?]](%x)\n  return (%0)"
    )
    assert only_node(graph, "prim::isinstance").attribute("types") == [INT, OptionalType(STRING)]


class TestSubgraphs:
    TEXT = (
        "graph(%x : Tensor):\n"
        "  %1 : Tensor = prim::fork_0(%x)\n"
        "  %2 : Tensor = aten::log_1(%1)\n"
        '  %3 : Tensor = prim::TensorExprGroup_1[kind="a"](%2)\n'
        "  return (%3)\n"
        "with prim::fork_0 = graph(%x : Tensor):\n"
        "  %1 : Tensor = prim::fork_0(%x)\n"
        "  return (%1)\n"
        "with prim::fork_0 = graph(%y : Tensor):\n"
        "  return (%y)\n"
        "with prim::TensorExprGroup_1 = graph(%z : Tensor):\n"
        "  return (%z)\n"
    )

    def test_they_belong_to_their_nodes_however_nested(self) -> None:
        graph = parse_ir(self.TEXT)
        assert str(graph) == self.TEXT
        outer = only_node(graph, prim.fork).attribute("Subgraph")
        assert isinstance(outer, Graph)
        inner = only_node(outer, prim.fork).attribute("Subgraph")
        assert isinstance(inner, Graph)
        assert inner.inputs[0].debug_name == "y"
        graph.lint()

    def test_a_missing_one_is_an_error(self) -> None:
        text = (
            self.TEXT.rpartition("with prim::Ten")[0]
            + "with prim::Else_1 = graph(%z):\n  return (%z)"
        )
        with pytest.raises(CompileError, match="expected the end of the graph but found 'with'"):
            parse_ir(text)


class TestTables:
    TEXT = (
        'graph(%x : int):\n  %1 : Function = prim::Constant[name="g"]()\n'
        "  %2 : int = aten::add(%x, %x)\n  %3 : str = aten::add(%x, %x)\n"
        "  %4 : int = prim::CallFunction(%1, %2)\n  return (%4)\n"
    )

    def test_the_first_operator_that_fits_is_taken(self) -> None:
        graph = parse_ir(self.TEXT, OPERATORS)
        _, fitting, unfitting, _ = graph.nodes()
        assert fitting.operator is OPERATORS.find("aten::add", "int")
        assert unfitting.operator is None

    def test_functions_are_found_by_name(self) -> None:
        known = Function("__torch__.g")
        graph = parse_ir(self.TEXT, functions={"g": known})
        assert called_function(graph.outputs[0].node.inputs[0]) is known
        unknown = called_function(parse_ir(self.TEXT).outputs[0].node.inputs[0])
        assert unknown is not None
        assert unknown.name == "g"

    def test_classes_are_resolved(self) -> None:
        known = ClassType("__torch__.A")
        graph = parse_ir(
            "graph(%x : __torch__.A[]):\n  return (%x)\n",
            classes={"__torch__.A": known}.get,
        )
        assert graph.inputs[0].type == ListType(known)


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("", "expected 'graph' but found the end of the text", 1, 0),
        ("graph(%x : int)", "expected ':' but found the end of the text", 1, 15),
        ("graph(%x : int\n      %y : int):", "expected ',' but found '%'", 2, 6),
        ("graph(%x : Intt):\n  return (%x)", "unknown type 'Intt'", 1, 11),
        ("graph(x : int):", "expected a value such as '%x' but found 'x'", 1, 6),
        ("graph(%x):\n  return (%y)", "Cannot find a variable with name 'y'", 2, 10),
        ("graph(%x):\n  %y = b(%x)\n  return (%y)", "expected a kind such as 'aten::add'", 2, 7),
        ("graph(%x):\n  %y = a::b(%x", "expected ',' but found the end of the text", 2, 14),
        ("graph(%x):\n  %y = a::b[k=$]()", "expected a type but found '$'", 2, 14),
        (
            "graph(%x):\n  %y = a::b[1=2]()",
            "expected the name of an attribute but found '1'",
            2,
            12,
        ),
        ("graph(%x):\n  block0():", "a block needs a node in front of it", 2, 9),
        ("graph(%x):\n  -> (%x)", "expected a value such as '%x' but found '-'", 2, 2),
        ("graph(%x):\n  return (%x)\nmore", "expected the end of the graph but found 'more'", 3, 0),
        (
            "graph():\n  %0 : (int) = prim::Constant[value=(1, 2)]()",
            "a (int) has 1 elements, not 2",
            2,
            36,
        ),
        (
            'graph():\n  %0 : Device = prim::Constant[value="x"]()',
            "Invalid device string: 'x'",
            2,
            37,
        ),
    ],
)
def test_errors_have_a_place(text: str, message: str, line: int, column: int) -> None:
    with pytest.raises(CompileError) as raised:
        parse_ir(text)
    assert message in raised.value.message
    place = raised.value.range
    assert (place.line, place.column) == (line, column)


@given(st.data())
def test_damaged_texts_are_refused_politely(data: st.DataObject) -> None:
    text = data.draw(
        st.sampled_from([BRANCH_FROM_THE_OVERVIEW, TestSubgraphs.TEXT, TestTables.TEXT])
    )
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    damaged = (
        text[:start] + data.draw(st.text("%:()[]{}=\"'\\ab0.-<>?,\n ", max_size=5)) + text[end:]
    )
    try:
        graph = parse_ir(damaged)
    except CompileError:
        return
    assert str(parse_ir(str(graph))) == str(graph)


def test_deep_nesting_needs_no_recursion() -> None:
    depth = 2000
    lines = ["graph(%c : bool):"]
    for level in range(depth):
        lines += ["  " * (2 * level + 1) + " = prim::If(%c)", "  " * (2 * level + 2) + "block0():"]
    for level in reversed(range(depth)):
        lines += ["  " * (2 * level + 3) + "-> ()", "  " * (2 * level + 2) + "block1():"]
        lines += ["  " * (2 * level + 3) + "-> ()"]
    text = "\n".join([*lines, "  return (%c)", ""])
    graph = parse_ir(text)
    graph.lint()
    assert str(graph) == text
