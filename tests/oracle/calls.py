"""Single calls: which overloads PyTorch chooses for them, or what it says against them.

``calls.txt`` has the parameters of a function on lines that begin with ``==``, and below them
expressions that it may return. ``python -m tests.oracle.calls`` records PyTorch's answers.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tsc.compiler.compile import Toolchain, compile_source
from tsc.compiler.ir import Graph
from tsc.compiler.schema import Operator, OperatorTable
from tsc.compiler.source import CompileError, Source
from tsc.runtime.operators import load

from .programs import ANSWERS, Program

FOLDER = Path(__file__).parent
RECORDED = ANSWERS / "calls.json"
SCHEMAS = FOLDER.parent / "schema" / "data" / "pytorch_schemas.txt.gz"
HEAD = """\
import math
import torch
import torch.nn.functional as F
from torch import Tensor
from typing import Dict, List, Optional, Tuple, Union
def h(x: int, y: float = 1.0) -> int:
    return x
"""

Answer = list[str] | str


def all_calls() -> dict[str, str]:
    """The source text of every call, by a name that says parameters and expression."""
    calls: dict[str, str] = {}
    parameters = ""
    for line in (FOLDER / "calls.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            parameters = line[3:]
        elif line:
            name = f"{line}  with {parameters}"
            calls[name] = f"{HEAD}def f({parameters}):\n    return {line}\n"
    return calls


@cache
def toolchain() -> Toolchain:
    """A compiler that knows every operator of PyTorch, with the facts of ours, and can run none."""
    table, ours = OperatorTable(), load()
    for schema in gzip.decompress(SCHEMAS.read_bytes()).decode().splitlines():
        operator = Operator(schema)
        known = ours.find(operator.name, operator.overload_name)
        table.declare(schema, **({} if known is None else known.facts))
    return Toolchain(table, lambda _node, _inputs: None)


def our_answer(text: str) -> Answer:
    """The overloads in the graph that tsc makes of a call, or its message."""
    try:
        graph = compile_source(Source(text), toolchain())["f"].graph
    except CompileError as error:
        return shortened(error.message)
    return _overloads(graph)


def _overloads(graph: Graph) -> list[str]:
    operators = [node.operator for node in graph.all_nodes()]
    return [each.qualified_name for each in operators if each is not None]


def pytorch_answer(text: str) -> Answer:
    """The same of PyTorch."""
    import torch

    from .pytorch import imported

    with imported(Program("calls", "call", text, ())) as module:
        try:
            graph = torch.jit.script(module.f).graph
        except Exception as error:  # noqa: BLE001  any failure of the reference is an answer
            return shortened(re.split(r":?\n  File ", str(error))[0])
        names = [node.schema().partition("(")[0] for node in _all_nodes(graph)]
        return [name for name in names if "::" in name and not name.startswith("prim::Tuple")]


def _all_nodes(block: Any) -> Iterator[Any]:
    """The nodes of a graph or a block of PyTorch, nested ones included."""
    for node in block.nodes():
        yield node
        for inner in node.blocks():
            yield from _all_nodes(inner)


_NOTHING_FITS = "Arguments for call are not valid."


def shortened(message: str) -> str:
    """A message without blank lines; of one that lists variants, only what stands before them.

    We list those that fit best, or say that there is no such operator; PyTorch lists all.
    """
    text = "\n".join(line.strip() for line in message.splitlines() if line.strip(" \n:"))
    if text.startswith(_NOTHING_FITS):
        return _NOTHING_FITS
    return (
        text.partition("\nThe following variants are available")[0]
        .removesuffix("The original call is")
        .strip()
    )


if __name__ == "__main__":
    answers = {name: pytorch_answer(text) for name, text in all_calls().items()}
    RECORDED.write_text(json.dumps(answers, indent=0) + "\n", encoding="utf-8")
    print(f"{len(answers)} calls recorded")
