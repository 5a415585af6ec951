"""Annotations in every spelling."""

from __future__ import annotations

import pytest

from tsc.compiler.frontend import parse_expression
from tsc.compiler.frontend.annotations import ScriptTypeParser
from tsc.compiler.source import CompileError, Source, SourceRange
from tsc.compiler.types import FLOAT, INT, ListType, TupleType, Type

POINT = TupleType((INT, FLOAT), name="__torch__.Point", field_names=("x", "y"))
DEFINED: dict[str, Type] = {"Point": POINT, "shapes.Shape": ListType(INT)}
ALIASES = {"T": "typing", "L": "typing.List", "O": "typing.Optional"}


def resolve(name: str, range: SourceRange) -> Type | None:
    assert isinstance(range, SourceRange)
    return DEFINED.get(name)


def qualified_name(name: str) -> str:
    first, dot, rest = name.partition(".")
    return ALIASES.get(first, first) + dot + rest


def parse(text: str) -> Type:
    return ScriptTypeParser(resolve, qualified_name).parse_type(parse_expression(Source(text)))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ("int", "int"),
        ("Tensor, torch.Tensor, torch.FloatTensor, torch.LongTensor, 'Tensor'", "Tensor"),
        ("List[int], list[int], typing.List[int], T.List[int], L[int], 'List[int]'", "int[]"),
        ("torch.Size", "int[]"),
        ("Optional[int], int | None, None | int, Union[int, None], O[int], 'int | None'", "int?"),
        ("Optional['int'], Optional[Optional[int]], torch.jit.Optional[int]", "int?"),
        ("Dict[str, List[int]], dict[str, list[int]]", "Dict(str, int[])"),
        ("Tuple[int, str], tuple[int, str], Tuple[(int, str)]", "(int, str)"),
        ("Tuple[()], tuple[()]", "()"),
        ("Tuple[int], tuple[int,]", "(int)"),
        ("Union[int, str], int | str, 'int' | str, Union[Union[int, str], int]", "Union(int, str)"),
        ("int | str | None", "Union(int, NoneType, str)"),
        ("Union[int], Union[int, int]", "int"),
        ("Future[int], torch.jit.Future[int]", "Future[int]"),
        ("None, NoneType", "NoneType"),
        ("Any, typing.Any, T.Any", "Any"),
        ("float", "float"),
        ("complex", "complex"),
        ("bool", "bool"),
        ("str", "str"),
        ("number", "Scalar"),
        ("Device, torch.device", "Device"),
        ("torch.dtype, torch.layout, torch.memory_format", "int"),
        ("Generator, torch.Generator", "Generator"),
        ("Final[int], torch.jit.Final[int], typing.Final[int], Annotated[int, 3]", "int"),
        ("BroadcastingList2[int], _size_3_t", "int[]"),
        ("Point, 'Point'", "__torch__.Point"),
        ("shapes.Shape", "int[]"),
        ("List[Dict[str, Tuple[Optional[Tensor], 'Point']]]", None),
    ],
)
def test_spellings(texts: str, expected: str | None) -> None:
    options = parse_expression(Source(f"[{texts}]"))
    for option in options.inputs:  # pyright: ignore
        found = parse(option.range.text)
        text = found.name if isinstance(found, TupleType) and found.name else str(found)
        assert expected is None or text == expected, option.range.text


def test_quoted_annotations_keep_their_place() -> None:
    with pytest.raises(CompileError) as raised:
        parse("List['Dict[str, Unknown]']")
    assert raised.value.range.text == "Unknown"
    assert raised.value.range.column == 16


@pytest.mark.parametrize(
    ("text", "message", "marked"),
    [
        ("Unknown", "Unknown type name 'Unknown'", "Unknown"),
        ("a.b.C", "Unknown type name 'a.b.C'", "a.b.C"),
        ("List[foo]", "Unknown type name 'foo'", "foo"),
        ("List", "Attempted to use List without a contained type", "List"),
        ("T.Dict", "Attempted to use Dict without contained types", "T.Dict"),
        ("List[int, str]", "expected exactly one element type but found 2", "List[int, str]"),
        ("Dict[int]", "expected exactly 2 element types but found 1", "Dict[int]"),
        ("Dict[List[int], int]", "Cannot create dict for key type 'int[]'", "List[int]"),
        ("Set[int]", "Unknown type constructor Set", "Set[int]"),
        ("Callable[[int], int]", "Unknown type constructor Callable", "Callable[[int], int]"),
        ("Tuple[int, ...]", "Expression of type dots cannot be used in a type", "..."),
        ("1", "Expression of type const cannot be used in a type expression", "1"),
        ("f(x)", "Expression of type apply cannot be used in a type expression", "f(x)"),
        ("f(x)[int]", "Subscripted type must be a type identifier", "f(x)"),
        ("'1 +'", "expected an expression after '+'", ""),
        ("'in' 't['", "'[' was never closed", "'in' 't['"),
        ("List[" * 150 + "int" + "]" * 150, "a type nested more than 100 deep", None),
    ],
)
def test_errors(text: str, message: str, marked: str | None) -> None:
    with pytest.raises(CompileError) as raised:
        parse(text)
    assert raised.value.message.startswith(message)
    assert marked is None or raised.value.range.text == marked


@pytest.mark.parametrize("text", ["Set[int]", "Sequence[int]", "object", "bytes", "Literal[1]"])
def test_types_of_python_come_with_a_way_out(text: str) -> None:
    with pytest.raises(CompileError) as raised:
        parse(text)
    assert raised.value.hint


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("BroadcastingList2[int]", 2),
        ("Optional[BroadcastingList3[float]]", 3),
        ("_size_1_t", 1),
        ("List[int]", None),
        ("BroadcastingList[int]", None),
    ],
)
def test_list_size(text: str, size: int | None) -> None:
    assert ScriptTypeParser(resolve).list_size(parse_expression(Source(text))) == size
