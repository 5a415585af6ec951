"""What users say of sizes: in Python as for torch.export, and on a command line."""

from __future__ import annotations

import pytest

from tsc.compiler.exir.symbols.dims import Dim
from tsc.compiler.exir.symbols.dynamic_shapes import DeclaredDims, by_argument, dimensions, inside
from tsc.compiler.exir.symbols.dynamic_text import parse_dynamic_shapes
from tsc.compiler.exir.symbols.environment import ShapeEnvironment
from tsc.compiler.source import Error

BATCH = Dim("batch", min=1, max=64)


@pytest.fixture
def dims():
    return DeclaredDims(ShapeEnvironment())


@pytest.mark.parametrize("spec", [{0: BATCH}, (BATCH, None), [BATCH, Dim.STATIC], {-2: BATCH}])
def test_forms_of_a_tensor(dims, spec):
    assert list(map(str, dims.sizes((6, 8), spec, "L['x']"))) == ["s77", "8"]


def test_forms_of_all_arguments():
    wanted = {"x": {0: BATCH}, "y": None}
    assert by_argument(wanted, ["x", "y"]) == wanted
    assert by_argument(({0: BATCH}, None), ["x", "y"]) == wanted
    assert inside({"k": [{0: BATCH}]}, "k", "L['d']") == [{0: BATCH}]
    assert dimensions(Dim.AUTO, 2, "L['x']") == [Dim.AUTO, Dim.AUTO]


def test_sizes_of_1_are_not_seen_to_change(dims):
    assert dims.sizes((1,), {0: Dim.AUTO}, "L['x']") == [1]
    with pytest.raises(Error, match="example arguments with a size of 2 or more"):
        dims.sizes((1,), {0: BATCH}, "L['x']")


@pytest.mark.parametrize(
    "spec, message",
    [
        ({2: BATCH}, r"L\['x'\] has 2 dimensions, and no 2"),
        ([BATCH], "has 2 dimensions, not 1"),
        ({0: Dim("b", min=7, max=9)}, r"L\['x'\].size\(\)\[0\] is 6, and b goes from 7 to 9"),
        ({0: 5}, "is 6, and dynamic_shapes say that it is 5"),
        ({0: "batch"}, "'batch' of .* is no Dim"),
        (3, "3 is no dict, tuple or list"),
    ],
)
def test_what_does_not_fit_is_refused(dims, spec, message):
    with pytest.raises(Error, match=message):
        dims.sizes((6, 8), spec, "L['x']")


def test_derived_dims_print_as_they_are_written():
    assert str(2 * BATCH + 1) == "2*batch + 1"
    assert str(BATCH - 1) == "batch - 1"


def test_a_command_line_says_the_same():
    found = parse_dynamic_shapes("x: {0: batch=1..64, 1: _}, y: {0: 2*batch+1, 2: other, 3: 4}")
    assert {key: {dim: str(each) for dim, each in part.items()} for key, part in found.items()} == {
        "x": {0: "batch", 1: "Dim.AUTO"},
        "y": {0: "2*batch + 1", 2: "other", 3: "4"},
    }
    assert (found["x"][0].min, found["x"][0].max) == (1, 64)
    assert found["y"][0].root is found["x"][0]


@pytest.mark.parametrize(
    "text, message",
    [
        ("x {0: a}", "expected ':' at letter 2"),
        ("x: {0: a", "expected ','"),
        ("x: {a: 0}", "expected a number"),
        ("x: {0: a=5..2}", "no size from 5 to 2"),
        ("x: {0: a}, y: {0: a=1..3}", "where a is named first"),
        ("x: {0: a}, x: {0: b}", "x is there twice"),
        ("x: {0: a} y: {0: b}", "expected a comma"),
        ("", "expected a name"),
    ],
)
def test_texts_that_say_nothing_are_refused(text, message):
    with pytest.raises(Error, match=message):
        parse_dynamic_shapes(text)
