"""The form the emitter makes, before SSA: variables as Loads and Stores, jumps as statements."""

from __future__ import annotations

import re

from tests.emit.compiled import load_store_text

_OPERATION = re.compile(r"(?:= )?(\w+::\w+(?:\[[^\]]*\])?)|^(block\d)")


def shape(source: str) -> list[str]:
    """The operations and blocks of `f` in their order, without constants."""
    found = [_OPERATION.search(line) for line in load_store_text(source)]
    names = [match[1] or match[2] for match in found if match is not None]
    return [name.removeprefix("prim::") for name in names if "prim::Constant" not in name]


def test_variables_are_stored_and_loaded() -> None:
    assert shape("def f(x: int):\n    y = x\n    return y\n") == [
        'Store[name="x"]',
        'Load[name="x"]',
        'Store[name="y"]',
        'Load[name="y"]',
        "ReturnStmt",
        "Uninitialized",
    ]


def test_a_loop_has_a_body_and_a_condition() -> None:
    source = "def f(x: bool):\n    while x:\n        break\n"
    expected = ["Loop", "block0", "BreakStmt", "block1", 'Load[name="x"]']
    assert shape(source)[1:6] == expected


def test_a_refinement_is_stored_in_its_branch() -> None:
    source = "def f(x: Optional[int]):\n    if x is not None:\n        print(x)\n"
    text = shape(source)
    branch = text[text.index("block0") + 1 : text.index("block1")]
    assert [name for name in branch if not name.startswith("Load")] == [
        "unchecked_cast",
        'Store[name="x"]',
        "Print",
    ]


def test_a_branch_that_exits_leaves_a_placeholder() -> None:
    source = (
        "def f(x: bool):\n    if x:\n        y = 1\n    else:\n        return 2\n    return y\n"
    )
    text = shape(source)
    branch = text[text.index("block1") + 1 : text.index('Load[name="y"]')]
    assert branch == ["ReturnStmt", "Uninitialized", 'Store[name="y"]']


def test_a_decided_condition_leaves_one_branch_in_place() -> None:
    source = "def f(x: int):\n    if x is None:\n        x = 1\n    return x\n"
    assert "If" not in shape(source)


def test_a_loop_over_a_tuple_is_unrolled() -> None:
    source = "def f(x: Tuple[int, str]):\n    for y in x:\n        print(y)\n"
    assert shape(source).count("Print") == 2
    assert "Loop" not in shape(source)


def test_a_comprehension_has_variables_of_its_own() -> None:
    source = "def f(x: List[int]):\n    return [y for y in x]\n"
    text = shape(source)
    assert text.index("LocalVariableScope") < text.index('Store[name="y"]')


def test_statements_after_a_jump_are_left_out() -> None:
    assert "Print" not in shape("def f(x: int):\n    return x\n    print(x)\n")


def test_numbers_are_made_once_at_the_start() -> None:
    text = load_store_text("def f(x: int):\n    x = x * 7\n    return x - 7 + 8\n")
    constants = [line for line in text if "prim::Constant" in line]
    assert [line.rpartition("=")[2] for line in constants] == ["8]()", "7]()"]
    assert text[1:3] == constants
