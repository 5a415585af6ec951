"""Functions in functions, and lambdas: templates that are compiled where they are called."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.emit.protocols import Emitter
from tsc.compiler.emit.statements.loop_status import jumps_out, outside_of_loop
from tsc.compiler.emit.sugared_values.bound_resolver import module_resolver
from tsc.compiler.emit.sugared_values.function_templates import Template, TemplateValue
from tsc.compiler.frontend.free_names import free_names
from tsc.compiler.frontend.function_types import is_function_type
from tsc.compiler.frontend.tree_views import Decl, Def, ExprStmt, Ident, Lambda, Param, Return
from tsc.compiler.source import CompileError, codes, extensions
from tsc.compiler.types import Type


def emit_nested_definition(emitter: Emitter, tree: Def) -> None:
    """The name stands for the function from here on; its defaults are evaluated now."""
    for decorator in tree.decorators:
        raise CompileError(
            f"decorator '@{decorator.range.text}' isn't supported inside of a function",
            decorator.range,
            code=codes.NO_DECORATOR,
            hint="drop it, or move the function to the top of the file",
        )
    for jump in jumps_out(tree.statements):
        raise outside_of_loop(jump)
    template = Template(
        tree,
        module_resolver(emitter),
        f"{emitter.function.name}__{tree.name.name}",
        defaults=_evaluate_defaults(emitter, tree.decl.params, all_of_them=False),
        made=emitter.derived,
    )
    value = TemplateValue(template, home=emitter.environment)
    emitter.environment.set(tree.name.name, value, tree.name.range)


def lambda_value(emitter: Emitter, tree: Lambda) -> TemplateValue:
    """A lambda as a function that returns its expression."""
    emitter.acceptance.use(extensions.LAMBDAS, tree.range, "Lambda aren't supported")
    definition = Def(
        tree.range,
        Ident(tree.range, "lambda"),
        Decl(tree.decl.range, tree.decl.params),
        [Return(tree.body.range, tree.body)],
        head=tree.range,
    )
    template = Template(
        definition,
        module_resolver(emitter),
        f"{emitter.function.name}__lambda",
        is_lambda=True,
        defaults=_evaluate_defaults(emitter, tree.decl.params, all_of_them=True),
        made=emitter.derived,
    )
    return TemplateValue(template, home=emitter.environment)


def _evaluate_defaults(
    emitter: Emitter, params: Sequence[Param], *, all_of_them: bool
) -> dict[str, str]:
    """The variables that now hold the defaults; constant ones may be left to the definition."""
    variables: dict[str, str] = {}
    for param in params:
        default = param.default
        if default is None:
            continue
        used = free_names(Decl(param.range, []), [ExprStmt(default.range, default)])
        if all_of_them or any(emitter.environment.is_set(name) for name in used):
            variable = emitter.temporary_name(f"${param.name}_")
            sugared = emitter.emit_sugared_expression(default, 1, _hint(emitter, param))
            emitter.environment.set(variable, sugared, default.range)
            variables[param.name] = variable
    return variables


def _hint(emitter: Emitter, param: Param) -> Type | None:
    if param.type is None or is_function_type(param.type, emitter.resolver.qualified_name):
        return None
    return emitter.types.parse_type(param.type)
