"""PyTorch's answers to the programs of the corpus. The only module of the tests that needs PyTorch."""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import io
import linecache
import math  # noqa: F401
import multiprocessing
import os
import re
import sys
import tempfile
import unittest.mock
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import *  # noqa: F403  names that programs use
from typing import Any

import torch
import torch.nn.functional as F  # noqa: F401  PyTorch resolves names in this module
from torch import Tensor  # noqa: F401

from .answers import Answer, describe_tensor, normalize_code, normalize_graph, plain
from .programs import Program

PRELUDE = (
    "import math\nimport torch\nimport torch.nn.functional as F\n"
    "from torch import Tensor\nfrom typing import *\n"
)
MODULE = "Z"
"""The name of the module that a program becomes. It is part of the names of enums, and lines break by length."""
_QUALIFIED_NAME = torch._jit_internal._qualified_name
_OVERLOADS = dict(torch._jit_internal._overloaded_fns)
_KIND = re.compile(
    r"^([A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Warning|Iteration)): ", re.MULTILINE
)


def answer(program: Program) -> Answer:
    """Compile and run `program` with PyTorch; a program without calls must not compile."""
    warnings.simplefilter("ignore")
    try:
        return _answer(program)
    except NotImported as error:
        return {"error": str(error)}


class NotImported(Exception):
    """A decorator of the program has refused it: the first line of the reason."""


def _answer(program: Program) -> Answer:
    with imported(program) as module:
        try:
            functions = {
                name: torch.jit.script(getattr(module, name)) for name in program.functions
            }
        except Exception as error:  # noqa: BLE001  any failure of the reference is an answer
            return {"error": first_line(str(error))}
        graphs = {name: normalize_graph(str(f.graph)) for name, f in functions.items()}
        return {
            "graph": graphs,
            "code": code_texts(program, functions, graphs),
            "results": [result(getattr(module, f"call_{i}")) for i in range(len(program.calls))],
        }


def code_texts(
    program: Program, functions: dict[str, Any], graphs: dict[str, str]
) -> dict[str, str]:
    """The printed source of each function, with the plain names that a compilation unit gives.

    How PyTorch breaks lines and names parts depends on the length of qualified names. What its own
    parser cannot read, or reads differently, is printed from the scripted function instead.
    """
    text = re.sub(r"^(?:import|from) .*$", "", program.source, flags=re.MULTILINE)
    try:
        unit = torch.jit.CompilationUnit(re.sub(r'\A""".*?"""\n', "", text, flags=re.DOTALL))
        plain = {name: getattr(unit, name) for name in functions}
    except Exception:  # noqa: BLE001  the frontend for Python reads more than the parser
        plain = {}
    same = {name: f for name, f in plain.items() if normalize_graph(str(f.graph)) == graphs[name]}
    return {name: normalize_code((functions | same)[name].code) for name in functions}


def short_name(thing: Any, mangle_name: bool = True) -> str:
    """The qualified name of a function or NamedTuple of a program, as short as PyTorch allows.

    Where lines break depends on the length of names. Enums are looked up by theirs.
    """
    if inspect.isfunction(thing) and thing.__module__ == MODULE:
        return f"{MODULE}.{thing.__name__}"
    if inspect.isclass(thing) and thing.__module__ == MODULE and issubclass(thing, tuple):
        return f"__torch__.{thing.__name__}"
    return _QUALIFIED_NAME(thing, mangle_name)


def forget_what_was_compiled() -> None:
    """Start PyTorch's compiler anew, so that no name is taken by another program.

    What it has compiled is found by name in its compilation unit, so the caches of names go with it. The
    overloads that PyTorch's own functions declare on import are taken down as they are compiled. Other tests
    of a process would lose the classes that they share with PyTorch, so a test calls this `apart`.
    """
    if "PYTEST_CURRENT_TEST" in os.environ and multiprocessing.parent_process() is None:
        raise RuntimeError(
            "PyTorch forgets what other tests compiled: call this by tests.oracle.apart"
        )
    state = torch.jit._state
    state._python_cu = torch._C.CompilationUnit()
    state._jit_caching_layer.clear()
    state._jit_function_overload_caching.clear()
    state._clear_class_state()
    torch._C._jit_clear_class_registry()
    overloads = torch._jit_internal._overloaded_fns
    overloads.clear()
    overloads.update(_OVERLOADS)


@contextlib.contextmanager
def imported(program: Program, *, anew: bool = True, whole: bool = True) -> Iterator[ModuleType]:
    """The program as a Python module, whose file PyTorch's frontend reads while it compiles.

    Not `anew`, PyTorch keeps what it has compiled: its modules do not survive their classes. Not `whole`, a module that
    cannot be imported is what was made of it until then.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.py"
        path.write_text(PRELUDE + program.source_with_calls(), encoding="utf-8")
        linecache.clearcache()
        if anew:
            forget_what_was_compiled()
        specification = importlib.util.spec_from_file_location(MODULE, path)
        assert specification is not None
        assert specification.loader is not None
        module = importlib.util.module_from_spec(specification)
        sys.modules[MODULE] = module
        with (
            unittest.mock.patch("torch.jit._script._qualified_name", short_name),
            unittest.mock.patch("torch._jit_internal._qualified_name", short_name),
        ):
            try:
                specification.loader.exec_module(module)
            except Exception as error:  # noqa: BLE001  any failure of the reference is an answer
                if whole:
                    raise NotImported(first_line(str(error))) from None
            yield module


def result(function: Any) -> Any:
    """Script and run one call, catching what it raises and prints."""
    try:
        scripted = torch.jit.script(function)
    except Exception as error:  # noqa: BLE001
        return {"error": first_line(str(error))}
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            value = scripted()
    except Exception as error:  # noqa: BLE001
        return {"raised": kind(error)}
    answer = {"value": plain(value, tensor)}
    return answer | ({"printed": printed.getvalue()} if printed.getvalue() else {})


def kind(error: Exception) -> str:
    """The kind of an error that a TorchScript program raised.

    The last line of the message names the class that the program raised; an operator's own error has none,
    and stands for itself. The message calls operators that are not implemented a RuntimeError.
    """
    if type(error) is NotImplementedError:
        return "NotImplementedError"
    names = _KIND.findall(str(error))
    return (
        names[-1].removeprefix("builtins.").removeprefix(f"{MODULE}.")
        if names
        else type(error).__name__
    )


def tensor(value: Any) -> Any:
    """The description of a tensor or device in an answer, or None."""
    if isinstance(value, torch.device):
        return {"device": str(value)}
    if not isinstance(value, torch.Tensor):
        return None
    values = value.detach()
    if values.dtype in (torch.bfloat16, torch.float16):
        values = values.float()
    return describe_tensor(str(value.dtype), list(value.shape), values.tolist())


def first_line(message: str) -> str:
    """The first line of a message that says something."""
    return next((line.strip() for line in message.splitlines() if line.strip()), "")
