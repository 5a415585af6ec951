"""Arguments from Python, and what PyTorch 2.13 makes of them.

`TAKEN` holds, by annotation, pairs of what is passed and what the function gets; `REFUSED` what is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np

TAKEN: dict[str, list[tuple[Any, Any]]] = {
    "int": [(1, 1), (True, 1), (np.int64(4), 4), (np.uint8(4), 4)],
    "float": [(1, 1.0), (True, 1.0), (2.0, 2.0), (np.float32(4), 4.0), (np.int64(3), 3.0)],
    "bool": [(True, True), (1, True), (2.0, True), (0, False), (np.bool_(True), True)],
    "complex": [(1, 1 + 0j), (2.0, 2 + 0j), (1j, 1j), (True, 1 + 0j)],
    "str": [("a", "a"), ("", "")],
    "Optional[int]": [(1, 1), (None, None)],
    "List[int]": [([1], [1]), ((1, 2), [1, 2]), ([True], [1]), (range(3), [0, 1, 2]), ([], [])],
    "List[float]": [([1], [1.0]), ([1.0, 2], [1.0, 2.0]), ((1.0,), [1.0])],
    "List[List[int]]": [([[1], [2]], [[1], [2]]), ([(1,), (2,)], [[1], [2]])],
    "List[str]": [(["a"], ["a"]), (("a",), ["a"])],
    "List[bool]": [([True], [True]), ([1], [True])],
    "List[Optional[int]]": [([1, None], [1, None])],
    "Tuple[int, str]": [((1, "a"), (1, "a")), ([1, "a"], (1, "a"))],
    "Dict[str, int]": [({"a": 1}, {"a": 1}), ({"a": True}, {"a": 1}), ({}, {})],
    "Dict[int, List[str]]": [({1: ["x"]}, {1: ["x"]})],
    "Any": [(1, 1), ("a", "a"), ([1], [1]), ((1, 2), (1, 2)), (None, None), ({"a": 1}, {"a": 1})],
    "Union[int, str]": [(1, 1), ("a", "a")],
    "Union[float, str]": [(1.5, 1.5), ("a", "a")],
}

REFUSED: dict[str, list[Any]] = {
    "int": [2.0, "a", None, 2**63, [1], np.float64(2)],
    "float": ["a", None, 1j, [1.0]],
    "bool": ["a", []],
    "complex": ["a", None],
    "str": [1, None],
    "Tensor": [1, 2.0, True, [1], "a"],
    "Optional[int]": [2.0, "a"],
    "List[int]": [[1.0], [None], {1: 2}, 3, None],
    "List[float]": [["a"], 1.0],
    "List[List[int]]": [[1]],
    "Tuple[int, str]": [(1,), (1, "a", 2), ("a", 1), 1],
    "Dict[str, int]": [{1: 1}, {"a": "b"}, [1]],
    "Union[int, str]": [2.5, None],
    "Any": [object()],
}
