"""What of a program cannot be exported, without arguments: of files, units, functions and modules."""

from __future__ import annotations

from collections.abc import Mapping

from tsc.compiler.budget import budget
from tsc.compiler.exir.explanation import Explanation, explain
from tsc.compiler.exir.explanation.onnx_forms import HasForm
from tsc.compiler.ir import Function
from tsc.compiler.outer_net import foreseen
from tsc.compiler.source import UNKNOWN_RANGE, UsageError
from tsc.runtime.execution.optimization import inlined_with_tasks
from tsc.runtime.programs.compilation_unit import CompilationUnit
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.python_api.script_module import ScriptModule
from tsc.runtime.values.objects import method_of


def explain_functions(
    functions: Mapping[str, Function], *, to: str | None = None
) -> list[Explanation]:
    """What exporting each of some functions would make of it. Raises `CompileError`."""
    has_form = _has_form(to)
    return [
        explain(
            name,
            inlined_with_tasks(function),
            (function.range or UNKNOWN_RANGE).first_line,
            has_form,
        )
        for name, function in functions.items()
    ]


def _has_form(to: str | None) -> HasForm | None:
    if to is None:
        return None
    if to != "onnx":
        raise UsageError(f"programs are exported to onnx, or to nothing else, not to {to}")
    from tsc.runtime.onnx.forms import has_form

    return has_form


@foreseen()
def explain_export(program: object, *, to: str | None = None) -> list[Explanation]:
    """What cannot be exported of a module's methods, a function, or all that is in a compilation unit.

    Nothing is run, and no example arguments are needed: each `Explanation` has `findings` with places, reasons and
    rewrites, and tells whether the method `is_exportable`; ``to="onnx"`` asks for models of ONNX. Raises `UsageError`
    for what is no program.
    """
    with budget():
        return explain_functions(_functions_of(program), to=to)


def _functions_of(program: object) -> Mapping[str, Function]:
    if isinstance(program, CompilationUnit):
        return program.selected_functions()
    if isinstance(program, ScriptFunction):
        return {program.name: program.function}
    if isinstance(program, ScriptModule):
        script_object = program.script_object
        names = script_object.script_type.methods
        return {name: method_of(script_object, name) for name in names}
    raise UsageError(
        f"a module, a function or a compilation unit can be exported, not a {type(program).__name__}"
    )
