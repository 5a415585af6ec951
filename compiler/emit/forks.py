"""``torch.jit.fork(f, x)``: a call of its own graph, whose result is to be waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler.emit.function_templates import TemplateValue
from compiler.emit.sugared_values import SimpleValue
from compiler.ir import prim
from compiler.source import CompileError, codes
from compiler.types import FutureType

if TYPE_CHECKING:
    from compiler.emit.ir_emitter import IREmitter
    from compiler.emit.sugared_value import SugaredValue
    from compiler.frontend.tree_views import Apply
    from compiler.types import Type


def emit_fork(emitter: IREmitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    """The arguments are evaluated here; the call is the body of a ``prim::forkClosure``."""
    if not tree.inputs:
        raise CompileError(
            "Expected at least one argument to fork()",
            tree.range,
            code=codes.WRONG_SPECIAL_CALL,
            hint="fork(f, x) calls f(x)",
        )
    forked = emitter.emit_sugared_expression(tree.inputs[0], 1)
    arguments = emitter.emit_arguments(tree.inputs[1:])
    keywords = emitter.emit_keywords(tree.attributes)
    closure = emitter.insert(prim.forkClosure, range=tree.range)
    body = closure.add_block()
    with emitter.scope(body):
        if isinstance(forked, TemplateValue) and not forked.template.params:
            result = forked.inlined(tree.range, emitter)  # the form that archives have
        else:
            result = forked.call(tree.range, emitter, arguments, keywords, 1)
        body.register_output(result.as_value(tree.range, emitter))
    return SimpleValue(closure.output.set_type(FutureType(body.outputs[0].type)))
