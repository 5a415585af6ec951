"""``@torch.jit.interface``: a class whose methods only say what they take and return."""

from __future__ import annotations

from typing import Final

from tsc.compiler.emit.classes.script_classes import ClassScope
from tsc.compiler.frontend.tree_views import (
    Assign,
    ClassDef,
    Def,
    ExprStmt,
    Param,
    Pass,
    Stmt,
    StringLiteral,
)
from tsc.compiler.schema import Argument, FunctionSchema
from tsc.compiler.source import CompileError, codes
from tsc.compiler.types import TENSOR, InterfaceType, MethodSchema

INTERFACES: Final = (
    *("torch.jit.interface", "torch._jit_internal.interface", "tsc.interface"),
    *("Interface", "ModuleInterface"),
)
"""The decorators, and the base classes in PyTorch's archives, that make a class an interface."""


def interface_type(definition: ClassDef, qualified_name: str, scope: ClassScope) -> InterfaceType:
    """The interface that a class statement declares."""
    methods: dict[str, MethodSchema] = {}
    is_module = any(_is_module(scope.names.path_of(base)) for base in definition.bases)
    _check_bases(definition, scope)
    type = InterfaceType(qualified_name, methods, is_module)
    for statement in definition.body:
        if isinstance(statement, Pass | Assign) or _is_docstring(statement):
            continue
        if not isinstance(statement, Def):
            raise CompileError(
                "an interface declares methods, and nothing else",
                statement.range,
                code=codes.INVALID_CLASS,
            )
        methods[statement.name.name] = _schema(statement, type, scope)
    return type


def _is_module(path: str | None) -> bool:
    """Whether a path is that of ``nn.Module``, which many modules of PyTorch import, or an archive's word for it."""
    if path is None:
        return False
    return path == "ModuleInterface" or (path.startswith("torch.") and path.endswith(".Module"))


def _check_bases(definition: ClassDef, scope: ClassScope) -> None:
    for base in definition.bases:
        path = scope.names.path_of(base)
        if not _is_module(path) and path not in ("object", "Interface"):
            raise CompileError(
                "TorchScript interface does not support inheritance yet: an interface inherits from "
                "object or nn.Module",
                base.range,
                code=codes.INVALID_CLASS,
                hint="declare the methods of the other interface here, too",
            )


def _is_docstring(statement: Stmt) -> bool:
    return isinstance(statement, ExprStmt) and isinstance(statement.expr, StringLiteral)


def _check_empty(method: Def) -> None:
    """The body of a method says nothing but ``pass``."""
    body = [each for each in method.statements if not _is_docstring(each)]
    if not body or not all(isinstance(each, Pass) for each in body):
        raise CompileError(
            f"interface declarations should contain a 'pass' statement, and '{method.name.name}' has "
            "another body",
            method.name.range,
            code=codes.INVALID_CLASS,
            hint="write `pass` below the declaration; the classes have the bodies",
        )


def _schema(method: Def, owner: InterfaceType, scope: ClassScope) -> FunctionSchema:
    _check_empty(method)
    if not method.decl.params:
        raise CompileError(
            f"the method '{method.name.name}' takes no 'self'",
            method.name.range,
            code=codes.INVALID_CLASS,
        )
    first, *params = method.decl.params
    arguments = [Argument.of(first.name, owner), *(_argument(each, scope) for each in params)]
    returned = method.decl.return_type
    if returned is None:
        raise CompileError(
            f"interface declarations must have a return type annotated, and '{method.name.name}' has "
            "none",
            method.name.range,
            code=codes.INVALID_CLASS,
            hint="write `-> Tensor` behind the parameters, or `-> None`",
        )
    result = scope.types.parse_type(returned)
    name = method.name.name
    return FunctionSchema(name, "", tuple(arguments), (Argument.of("", result),))


def _argument(param: Param, scope: ClassScope) -> Argument:
    """A parameter without its default, which says nothing to those who call by the interface."""
    return Argument.of(
        param.name, TENSOR if param.type is None else scope.types.parse_type(param.type)
    )
