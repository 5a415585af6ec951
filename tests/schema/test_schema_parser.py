"""Schema texts: PyTorch's own, every form, and what is refused."""

from __future__ import annotations

import gzip
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tsc.compiler.schema import AliasInfo, SchemaError, parse_schema
from tsc.compiler.types import INT, STRING, TENSOR, DictType, ListType, VarType, optional

RECORD = Path(__file__).parent / "data" / "pytorch_schemas.txt.gz"


@cache
def recorded() -> list[str]:
    with gzip.open(RECORD, "rt") as lines:
        return lines.read().splitlines()


def test_every_schema_of_pytorch_prints_as_it_was() -> None:
    texts = recorded()
    assert len(texts) == 4374
    assert [str(parse_schema(text)) for text in texts] == texts


@pytest.mark.parametrize(
    "text",
    [
        "f::g(Tensor(a!) self, *, Tensor[](b) x, Tensor(c!)[] y, Tensor(b|a) z) -> ()",
        "f::g(Tensor(*) w, Tensor(a -> *) q, t[](a!) l, Tensor(a!)? o) -> Tensor(a! -> b|c)",
        "f::g(Tensor(a)[](b!) x) -> (Tensor(a!) r1, Tensor)",
        "f::g(...) -> ...",
        "f::g(Tensor a, ...) -> (Tensor, ...)",
        "f::g(Tensor a) -> ((int, int))",
        "f::g(SymInt[1]? a, SymInt[2] b=[0, 0], ScalarType? d=None, Layout l=0) -> int[]",
        "f::g(int[2]? a, Tensor[2] b, bool[2]? c) -> int",
        'f::g(str a="q\\\'z", str? b="\\n", str c="\\"\\\\") -> int',
        "f::g(float f=0.10000000000000001, float[] g=[0.5, 1.], complex c=0.+2.j) -> int",
        "f::g(*, int a, int b=1) -> int",
        "f::g(Union(int, str) a, Future(t) f, RRef(t) r, (int, str) t, Await(t) z) -> t",
        "f::g(__torch__.torch.classes.x.Y a, AnyEnumType b, AnyClassType c) -> NoneType",
        "f::g(Storage b, Stream c, QScheme e, Generator? a=None, Device? d=None) -> Any",
        "f(Tensor a, Tensor b) -> Tensor",
        "f((int, float) x=(1, 2.), Tensor? y=None) -> ()",
        "forward(__torch__.M self, Tensor x) -> (Tensor y, int n)",
    ],
)
def test_every_form_prints_as_it_was(text: str) -> None:
    assert str(parse_schema(text)) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("f::g(int[2] a=[1,1]) -> int", "f::g(int[2] a=1) -> int"),
        ("f::g(SymInt[2] a=0) -> int", "f::g(SymInt[2] a=[0, 0]) -> int"),
        ("f::g(float a=3, float b=1e-8) -> ()", "f::g(float a=3., float b=1e-08) -> ()"),
        ("f::g(MemoryFormat m=channels_last) -> int", "f::g(MemoryFormat m=2) -> int"),
        ("f::g(int a=Mean, ScalarType d=long) -> int", "f::g(int a=1, ScalarType d=4) -> int"),
        ("f::g(Layout l=strided) -> int", "f::g(Layout l=0) -> int"),
        ("f::g(float z=inf, int q=-3) -> int", "f::g(float z=inf, int q=-3) -> int"),
        ("f::g(int a, DeviceIndex d=1)->(int)", "f::g(int a, int d=1) -> int"),
        ("  f::g ( Tensor  a )  ->  Tensor ", "f::g(Tensor a) -> Tensor"),
        ("f::g(Device d='cpu') -> int", "f::g(Device d=cpu) -> int"),
    ],
)  # fmt: skip
def test_other_spellings(text: str, canonical: str) -> None:
    assert str(parse_schema(text)) == canonical


def test_the_parts_of_an_argument() -> None:
    schema = parse_schema(
        "aten::f.out(SymInt[2]? size=1, *, Tensor(a!)[] out, ScalarType dtype, str s='x') -> ()"
    )
    size, out, dtype, text = schema.arguments
    assert (schema.name, schema.overload_name) == ("aten::f", "out")
    assert size.type == optional(ListType(INT))
    assert str(size.declared_type) == "SymInt[]?"
    assert (size.list_size, size.default, size.kwarg_only) == (2, (1, 1), False)
    assert out.type == ListType(TENSOR)
    assert out.alias_info == AliasInfo(
        is_write=True, contained=(AliasInfo(("a",), ("a",), is_write=True),)
    )
    assert out.kwarg_only
    assert not out.has_default
    assert (dtype.type, str(dtype.declared_type)) == (INT, "ScalarType")
    assert (text.type, text.default) == (STRING, "x")


def test_alias_annotations() -> None:
    schema = parse_schema("f::g(Dict(str, t(x))(a!) d, t(b -> *) v, Tensor(*) w) -> t(a|b)")
    dictionary, value, wildcard = (argument.alias_info for argument in schema.arguments)
    assert schema.arguments[0].type == DictType(STRING, VarType("t"))
    assert dictionary == AliasInfo(("a",), ("a",), is_write=True)
    assert value is not None
    assert value.is_wildcard_after
    assert not value.is_wildcard
    assert wildcard is not None
    assert wildcard.is_wildcard
    assert schema.returns[0].alias_info == AliasInfo(("a", "b"), ("a", "b"))
    assert schema.is_mutable


@pytest.mark.parametrize(
    ("text", "message", "position"),
    [
        ("", "expected a name", 0),
        ("f::g", "expected '('", 4),
        ("f::g(int)", "expected the name of the argument but found ')'", 8),
        ("f::g(int a)", "expected '->'", 11),
        ("f::g(int a) ->", "expected a type but found the end of the text", 14),
        ("f::g(int a) -> int x y", "expected the end of the schema but found 'y'", 21),
        ("f::g(int a=1, int b) -> int", "argument 'b' without default follows one with", 13),
        ("f::g(int[2][3] a) -> int", "only the outermost list may have a size", 12),
        ("f::g(int[] a=1) -> int", "expected a list", 13),
        ("f::g(Whatever a) -> int", "unknown type 'Whatever'", 5),
        ("f::g(int a=foo) -> int", "'foo' is not a default value", 11),
        ("f::g(..., int a) -> int", "'...' must be the last argument", 9),
        ("f::g(Tensor(1) a) -> int", "expected an alias set", 12),
        ("f::g(str a='x) -> int", "expected a default value", 11),
    ],
)
def test_what_is_no_schema_is_refused_with_its_place(
    text: str, message: str, position: int
) -> None:
    with pytest.raises(SchemaError, match=re.escape(message)) as caught:
        parse_schema(text)
    assert caught.value.position == position


@settings(max_examples=400)
@given(st.data())
def test_mutated_schemas_raise_only_schema_errors(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(recorded()))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 6)))
        inserted = data.draw(st.text("()[]*,.!|->:= '\"\\?ae1Tx\n\xe9", max_size=5))
        text = text[:start] + inserted + text[end:]
    try:
        schema = parse_schema(text)
    except SchemaError:
        return
    assert str(parse_schema(str(schema))) == str(schema)
