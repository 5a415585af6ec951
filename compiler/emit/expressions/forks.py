"""Calls put into graphs of their own: ``torch.jit.fork(f, x)``, and ``torch.jit._awaitable(f, x)``,
which runs only when it is waited for.
"""

from __future__ import annotations

from tsc.compiler.emit.protocols import Emitter, SugaredValue
from tsc.compiler.emit.sugared_values import SimpleValue
from tsc.compiler.emit.sugared_values.function_templates import TemplateValue
from tsc.compiler.frontend.tree_views import Apply
from tsc.compiler.ir import Node, prim
from tsc.compiler.source import CompileError, codes
from tsc.compiler.types import AwaitType, FutureType, Type


def emit_fork(emitter: Emitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    """The arguments are evaluated here; the call is the body of a ``prim::forkClosure``."""
    if not tree.inputs:
        raise _without_function("fork", tree)
    closure = _emit_call(emitter, tree, prim.forkClosure)
    return SimpleValue(closure.output.set_type(FutureType(closure.blocks[0].outputs[0].type)))


def emit_awaitable(emitter: Emitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    """The arguments are evaluated here; the call is the body of a ``prim::awaitableClosure``."""
    if not tree.inputs:
        raise _without_function("awaitable", tree)
    closure = _emit_call(emitter, tree, prim.awaitableClosure)
    return SimpleValue(closure.output.set_type(AwaitType(closure.blocks[0].outputs[0].type)))


def _without_function(form: str, tree: Apply) -> CompileError:
    return CompileError(
        f"Expected at least one argument to {form}()",
        tree.range,
        code=codes.WRONG_SPECIAL_CALL,
        hint=f"{tree.callee.range.text}(f, x) calls f(x)",
    )


def _emit_call(emitter: Emitter, tree: Apply, kind: str) -> Node:
    called = emitter.emit_sugared_expression(tree.inputs[0], 1)
    arguments = emitter.emit_arguments(tree.inputs[1:])
    keywords = emitter.emit_keywords(tree.attributes)
    closure = emitter.insert(kind, range=tree.range)
    body = closure.add_block()
    with emitter.scope(body):
        if isinstance(called, TemplateValue) and not called.template.params:
            result = called.inlined(tree.range, emitter)  # the form that archives have
        else:
            result = called.call(tree.range, emitter, arguments, keywords, 1)
        body.register_output(result.as_value(tree.range, emitter))
    return closure
