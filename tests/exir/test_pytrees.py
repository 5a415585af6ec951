"""Trees of containers: flattened, described, and built up again."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsc.compiler.exir.pytrees import LEAF, TreeError, TreeSpec, tree_flatten

TREES = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(TREES)
def test_trees_come_back(tree: Any) -> None:
    leaves, spec = tree_flatten(tree)
    assert len(leaves) == spec.num_leaves
    assert spec.unflatten(leaves) == tree


def test_text_is_pytorchs() -> None:
    _, spec = tree_flatten(((3, {"k": 4}), {}))
    assert str(spec) == (
        "TreeSpec(tuple, None, [TreeSpec(tuple, None, [*,\n    TreeSpec(dict, ['k'], [*])]),\n"
        "  TreeSpec(dict, [], [])])"
    )


def test_named_tuples_and_ordered_dicts() -> None:
    pair = namedtuple("pair", ["left", "right"])
    leaves, spec = tree_flatten(OrderedDict(z=pair(1, [2]), y=None))
    assert leaves == [1, 2, None]
    again = spec.unflatten(leaves)
    assert list(again) == ["z", "y"]
    assert again["z"].right == [2]


def test_queues_and_dicts_with_a_factory() -> None:
    kept = defaultdict(list, {"a": 1, 2: [3]})
    leaves, spec = tree_flatten((deque([4, 5], maxlen=3), deque(), kept))
    assert leaves == [4, 5, 1, 3]
    queue, empty, found = spec.unflatten(leaves)
    assert (queue, queue.maxlen, empty.maxlen) == (deque([4, 5]), 3, None)
    assert (found, found.default_factory) == (kept, list)
    assert spec.flatten(([6, 7], [], {2: [9], "a": 8})) == [6, 7, 8, 9]
    assert str(spec) == (
        "TreeSpec(tuple, None, [TreeSpec(deque, 3, [*,\n    *]),\n  TreeSpec(deque, None, []),\n"
        "  TreeSpec(defaultdict, [<class 'list'>, ['a', 2]], [*,\n    TreeSpec(list, None, [*])])])"
    )


def test_factories_of_others_are_names() -> None:
    spec = TreeSpec("defaultdict", ("a",), (LEAF,), "os.system")
    found = spec.unflatten([1])
    assert (found, found.default_factory) == ({"a": 1}, None)


def test_keys_of_a_dict_may_come_in_another_order() -> None:
    _, spec = tree_flatten({"a": 1, "b": 2})
    assert spec.flatten({"b": 20, "a": 10}) == [10, 20]


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ([1, 2], "expected a tuple, found list"),
        ((1, 2, 3), "expected 2 elements, found 3"),
        ((1, {"b": 2}), r"expected the keys \('a',\) at \[1\], found \('b',\)"),
        ((1, 5), r"expected a dict at \[1\], found int"),
    ],
)
def test_other_trees_are_refused(tree: Any, message: str) -> None:
    _, spec = tree_flatten((1, {"a": 2}))
    with pytest.raises(TreeError, match=message):
        spec.flatten(tree)


def test_too_few_leaves_are_refused() -> None:
    with pytest.raises(TreeError, match="expected 2 leaves, found 1"):
        TreeSpec("list", (), (LEAF, LEAF)).unflatten([1])


def test_endless_trees_are_refused() -> None:
    tree: list[Any] = []
    tree.append(tree)
    with pytest.raises(TreeError, match="nested"):
        tree_flatten(tree)
