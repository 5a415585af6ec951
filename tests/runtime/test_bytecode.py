"""The instructions of a graph, as their dump shows them."""

from __future__ import annotations

import pytest

import tsc
from tests.runtime.plans import script
from tsc.runtime.execution.bytecode.code import OPERANDS, Instruction, OpCode
from tsc.runtime.execution.bytecode.code_emitter import emit_code
from tsc.runtime.execution.graph_executor import PlanKey

CASES = {
    "inputs that die are moved": (
        "def f(x: int, y: int) -> int:\n    return x + y * x\n",
        """\
0 STOREN 1 2
1 LOAD 1 0
2 MOVE 2 0
3 MOVE 1 0
4 OP 0 0
5 OP 1 0
6 RET 0 0
operators:
  0 aten::mul.int
  1 aten::add.int
registers: 2
""",
    ),
    "an unused input is dropped": (
        "def f(x: int, y: int) -> int:\n    return x\n",
        "0 STOREN 1 2\n1 DROPR 2 0\n2 MOVE 1 0\n3 RET 0 0\nregisters: 2\n",
    ),
    "a branch drops what the other one needs": (
        """\
def f(x: List[int], y: List[int], c: bool) -> int:
    if c:
        n = len(x)
    else:
        n = len(y)
    return n
""",
        """\
 0 STOREN 1 3
 1 MOVE 3 0
 2 JF 5 0
 3 DROPR 2 0
 4 MOVE 1 0
 5 OP 0 0
 6 JMP 4 0
 7 DROPR 1 0
 8 MOVE 2 0
 9 OP 0 0
10 STORE 4 0
11 MOVE 4 0
12 RET 0 0
operators:
  0 aten::len.t
registers: 4
""",
    ),
    "a loop keeps its state on the stack": (
        """\
def f(n: int) -> int:
    total = 0
    for i in range(n):
        total += i
    return total
""",
        """\
 0 STORE 1 0
 1 LOADC 2 0
 2 MOVE 1 0
 3 LOADC 0 0
 4 LOADC 1 0
 5 LOOP 7 3
 6 STOREN 2 2
 7 LOADC 0 0
 8 MOVE 3 0
 9 MOVE 2 0
10 OP 0 0
11 JMP -6 0
12 STORE 4 0
13 MOVE 4 0
14 RET 0 0
constants:
  0 True
  1 0
  2 0
operators:
  0 aten::add.int
registers: 4
""",
    ),
    "containers, text and questions have instructions of their own": (
        """\
def f(d: Dict[str, int], flag: bool) -> Tuple[List[int], str]:
    print("at", flag)
    a, b = [d["a"], 2]
    return [a], "{}".format(not flag)
""",
        """\
 0 STOREN 1 2
 1 LOADC 2 0
 2 LOAD 2 0
 3 OPN 0 2
 4 MOVE 1 0
 5 LOADC 1 0
 6 DICT_INDEX 0 0
 7 LOADC 3 0
 8 LIST_CONSTRUCT 0 2
 9 LIST_UNPACK 2 0
10 STOREN 3 2
11 DROPR 4 0
12 MOVE 3 0
13 LIST_CONSTRUCT 0 1
14 LOADC 0 0
15 MOVE 2 0
16 __NOT__ 0 0
17 FORMAT 2 0
18 TUPLE_CONSTRUCT 2 0
19 RET 0 0
constants:
  0 "{}"
  1 "a"
  2 "at"
  3 2
operators:
  0 prim::Print
types:
  0 List[int]
registers: 4
""",
    ),
}


@pytest.mark.parametrize(("source", "expected"), list(CASES.values()), ids=list(CASES))
def test_dump(source: str, expected: str) -> None:
    function = script(source)
    assert str(emit_code(function.graph, function.name)) == expected


def test_dump_of_a_script_function_shows_calls() -> None:
    source = "def g(x: int) -> int:\n    return x\n\ndef f(x: int) -> int:\n    return g(x)\n"
    function = script(source)
    text = str(emit_code(function.graph, function.name))
    assert "CALL 0 0" in text
    assert "functions:\n  0 g\n" in text


def test_what_is_inlined_is_not_called() -> None:
    source = "def g(x: int) -> int:\n    return x + 1\n\ndef f(x: int) -> int:\n    return g(x)\n"
    assert "CALL" not in tsc.CompilationUnit(source).f.bytecode


def test_every_operand_is_described_by_a_letter() -> None:
    assert set("".join(OPERANDS.values())) <= set("ORCPFTI")
    assert all(len(letters) <= 2 for letters in OPERANDS.values())
    assert str(Instruction(OpCode.NOT)) == "__NOT__ 0 0"


def test_code_is_made_once() -> None:
    function = tsc.CompilationUnit("def f(x: int) -> int:\n    return x + 1\n").f
    function(1)
    executor = function._executor
    assert executor.code is executor.code
    assert executor.plan(PlanKey()) is executor.plan(PlanKey())
    assert executor.plan(PlanKey()) is not executor.plan(PlanKey(with_types=True))
    assert function.bytecode == str(executor.code)
