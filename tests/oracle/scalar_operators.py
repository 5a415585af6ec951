"""PyTorch's answers to the cases of scalar and container operators.

Each operator runs in a process of its own, since some arguments end PyTorch's (a remainder of zero)
or keep it busy forever (counting the occurrences of an empty string).
"""

from __future__ import annotations

import copy
import json
import os
import resource
import signal
from typing import Any

import torch

from tests.oracle.answers import plain
from tests.runtime.operator_cases import cases, concrete, result_types
from tsc.compiler.schema import FunctionSchema

_MOST_SECONDS = 3
_MOST_MEMORY = 6 << 30
_INTERPRETER = "The following operation failed in the TorchScript interpreter."


def answers(schema: FunctionSchema) -> list[Any]:
    """What PyTorch answers to each case: ``{"value": [...]}``, ``{"error": message}`` or
    ``{"crash": signal}``.
    """
    rows = cases(schema)
    found: list[Any] = []
    while len(found) < len(rows):
        got, status = _in_child(schema, rows[len(found) :])
        found += got
        if len(found) < len(rows):
            found.append({"crash": signal.Signals(os.WTERMSIG(status)).name})
    return found


def _in_child(schema: FunctionSchema, rows: list[list[Any]]) -> tuple[list[Any], int]:
    """The answers up to the first crash, and the exit status of the process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _answer_all(schema, rows, writer)
    os.close(writer)
    with os.fdopen(reader) as lines:
        got = [json.loads(line) for line in lines]
    return got, os.waitpid(child, 0)[1]


def _answer_all(schema: FunctionSchema, rows: list[list[Any]], writer: int) -> None:
    signal.alarm(_MOST_SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    function = _function(schema)
    for row in rows:
        line = json.dumps(_answer(function, row)) + "\n"
        os.write(writer, line.encode())
    os._exit(0)


def _answer(function: Any, row: list[Any]) -> Any:
    try:
        result = function(*copy.deepcopy(row))
    except Exception as error:  # noqa: BLE001  any failure of the reference is an answer
        message = str(error).strip()
        if message.startswith(_INTERPRETER):
            message = message.rpartition("\n")[2].partition(": ")[2]
        return {"error": message.partition("\n")[0]}
    return {"value": plain(list(result), lambda _value: None)}


def _function(schema: FunctionSchema) -> Any:
    """A function that returns the results of the operator, and then the arguments it writes to."""
    return torch._C._create_function_from_graph("f", torch._C.parse_ir(_graph(schema)))


def _graph(schema: FunctionSchema) -> str:
    names = [f"%{argument.name}" for argument in schema.arguments]
    types = [concrete(str(argument.type)) for argument in schema.arguments]
    written = [offset for offset, argument in enumerate(schema.arguments) if argument.is_write]
    results = result_types(schema)
    outputs = [f"%r{offset}" for offset in range(len(results))]
    declared = ", ".join(f"{name} : {type}" for name, type in zip(outputs, results))
    call = f"{declared} = " if declared else ""
    members = [*outputs, *(names[offset] for offset in written)]
    member_types = [*results, *(types[offset] for offset in written)]
    return (
        f"graph({', '.join(f'{name} : {type}' for name, type in zip(names, types))}):\n"
        f"  {call}{schema.name}({', '.join(names)})\n"
        f"  %t : ({', '.join(member_types)}) = prim::TupleConstruct({', '.join(members)})\n"
        "  return (%t)\n"
    )
