"""Calling a module while it is evaluated: hooks and ``forward``, as Python runs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tsc.runtime.construction.evaluator import Evaluator
    from tsc.runtime.construction.values import ModuleInstance


def call_module(
    evaluator: Evaluator, module: ModuleInstance, arguments: list[Any], keywords: dict[str, Any]
) -> Any:
    """``module(...)``"""
    for hook in module.forward_pre_hooks:
        extra = [keywords] if hook.with_kwargs else []
        changed = evaluator.call(hook.function, [module, tuple(arguments), *extra])
        if changed is None:
            continue
        if hook.with_kwargs:
            arguments, keywords = list(changed[0]), dict(changed[1])
        else:
            arguments = list(changed) if isinstance(changed, tuple) else [changed]
    forward = evaluator.get_attribute(module, "forward")
    result = evaluator.call(forward, arguments, keywords)
    for hook in module.forward_hooks:
        extra = [keywords] if hook.with_kwargs else []
        changed = evaluator.call(hook.function, [module, tuple(arguments), *extra, result])
        result = result if changed is None else changed
    return result
