"""`tsc.freeze` and `tsc.optimize_for_inference`: modules whose attributes are constants of their methods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from tsc.compiler.ir import Function, Graph
from tsc.compiler.process_settings import deep_recursion
from tsc.compiler.schema import Argument
from tsc.compiler.source import Stage
from tsc.compiler.types import ClassType
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.execution.run_pass import find_pass
from tsc.runtime.freezing.constant_attributes import MutableAttributes, insert_constants
from tsc.runtime.freezing.kept_modules import KeptModules
from tsc.runtime.freezing.module_values import inlined_method, is_module
from tsc.runtime.python_api.script_module import ScriptModule, wrapped
from tsc.runtime.values.objects import ScriptObject

DECIDING: Final = ("peephole", "propagate_constants", "eliminate_dead_code")
"""What leaves out branches that flags and options decide, before it is asked who writes to what."""

SIMPLIFYING: Final = (
    *("eliminate_dead_code", "eliminate_common_subexpressions", "peephole"),
    *("propagate_all_constants", "unroll_constant_loops", "lower_simple_tuples", "peephole"),
    *("propagate_all_constants", "eliminate_common_subexpressions", "pool_constants"),
    *("remove_dropout", "eliminate_dead_code"),
)
"""What every method of a frozen module goes through, once its attributes are constants."""

FOLDING: Final = (
    *("fold_frozen_conv_bn", "fold_frozen_conv_add_or_sub", "fold_frozen_conv_mul_or_div"),
    "fold_frozen_linear_bn",
)
"""What goes into weights, as often as there is something to fold: results differ in their last bits."""

FOR_INFERENCE: Final = ("concat_frozen_linear", "eliminate_common_subexpressions", "pool_constants")
"""What makes a frozen module faster, and its graph less like its source."""

_FORWARD: Final = "forward"


def freeze(
    mod: ScriptModule, preserved_attrs: Sequence[str] | None = None, optimize_numerics: bool = True
) -> ScriptModule:
    """A new module that computes what `mod` computes: attributes and submodules are constants of its methods.

    `forward` stays, and so do the methods, attributes and submodules in `preserved_attrs` (``"encoder.scale"``
    is one in a submodule); attributes that a method sets or writes to stay as well. Constants share their memory with
    the tensors of `mod`. With `optimize_numerics`, batch norms and constant sums and products go into the weights
    of convolutions and linear layers before them, which changes results in their last bits.

    Raises:
        ScriptError: `mod` is no module, is in training mode, or has nothing of a preserved name.
    """
    root = _checked(mod, "Freezing")
    with Stage("freezing", f"module '{mod.original_name}'"), deep_recursion():
        return _freeze(root, preserved_attrs or (), optimize_numerics, ())


def optimize_for_inference(
    mod: ScriptModule, other_methods: Sequence[str] | None = None
) -> ScriptModule:
    """`mod` frozen, unless it is frozen already, and prepared for fast inference; `other_methods` stay too.

    Unlike `freeze`, this takes a module in training mode as it would be after ``eval()``.

    Raises:
        ScriptError: `mod` is no module, or has no method of a name.
    """
    if isinstance(mod, ScriptModule) and getattr(mod, "training", False):
        mod.eval()
    root = _checked(mod, "optimize_for_inference")
    with Stage("freezing", f"module '{mod.original_name}'"), deep_recursion():
        return _freeze(root, other_methods or (), True, FOR_INFERENCE)


def _checked(module: object, who: str) -> ScriptObject:
    if not isinstance(module, ScriptModule):
        message = f"{who} expects a ScriptModule as input, not {type(module).__name__}: tsc.script gives one"
        raise ScriptError("RuntimeError", message)
    if module.script_object.script_attributes.get("training"):
        message = (
            "Freezing is currently only implemented for modules in eval mode: call .eval() on the module before"
            " (tsc freeze --eval), which makes dropout and batch norm do what they do in inference"
        )
        raise ScriptError("RuntimeError", message)
    return module.script_object


def _freeze(
    root: ScriptObject, preserved: Iterable[str], optimize_numerics: bool, more: Sequence[str]
) -> ScriptModule:
    methods = _methods(root, preserved)
    graphs = {each.name: inlined_method(each.graph, root) for each in methods}
    mutable = MutableAttributes()
    kept = KeptModules(root, mutable)
    for name in preserved:
        _preserve(root, name, mutable, kept)
    for graph in graphs.values():
        mutable.add_set(graph, root)
    for graph in graphs.values():
        insert_constants(graph, root, mutable, plain_only=True)
        _run(graph, DECIDING)
        mutable.add_written(graph, root)
    for graph in graphs.values():
        insert_constants(graph, root, mutable)
        _simplify(graph, optimize_numerics, more)
        kept.keep_used(graph)
    made = kept.made(root)
    for method in methods:
        graph = graphs[method.name]
        kept.retype(graph)
        _add_method(made.script_type, method, graph)
    made.script_type.forward_hooks = root.script_type.forward_hooks
    made.script_type.forward_pre_hooks = root.script_type.forward_pre_hooks
    frozen = wrapped(made)
    assert isinstance(frozen, ScriptModule)
    return frozen


def _methods(root: ScriptObject, preserved: Iterable[str]) -> list[Function]:
    """The methods that stay: forward, its hooks, and those that are asked for."""
    type = root.script_type
    names = (_FORWARD, *type.forward_pre_hooks, *type.forward_hooks, *preserved)
    found = (type.methods.get(name) for name in dict.fromkeys(names))
    return [each for each in found if isinstance(each, Function)]


def _preserve(root: ScriptObject, name: str, mutable: MutableAttributes, kept: KeptModules) -> None:
    """Have the attribute or submodule of a dotted name stay; methods are kept otherwise."""
    if name in root.script_type.methods:
        return
    module = root
    *path, last = name.split(".")
    for step in path:
        value = (
            module.script_attributes.get(step) if step in module.script_type.attributes else None
        )
        if not is_module(value):
            raise _unknown(name)
        kept.keep(module, step)
        assert isinstance(value, ScriptObject)
        module = value
    if last not in module.script_type.attributes:
        raise _unknown(name)
    kept.keep(module, last)
    value = module.script_attributes[last]
    if is_module(value):
        mutable.keep_whole(value)
    else:
        mutable.keep(module, last)


def _unknown(name: str) -> ScriptError:
    message = (
        f"Unknown name: {name}: the module has no method, attribute or submodule that is called so"
    )
    return ScriptError("RuntimeError", message)


def _simplify(graph: Graph, optimize_numerics: bool, more: Sequence[str]) -> None:
    _run(graph, SIMPLIFYING)
    while optimize_numerics and _run(graph, FOLDING):
        pass
    _run(graph, more)
    _run(graph, ("eliminate_dead_code",))


def _run(graph: Graph, names: Sequence[str]) -> bool:
    """Returns whether a pass of the list changed the graph."""
    changes = [find_pass(name).apply(graph) for name in names]
    return any(changes)


def _add_method(type: ClassType, method: Function, graph: Graph) -> None:
    itself, *others = method.schema.arguments
    schema = replace(method.schema, arguments=(Argument.of(itself.name, type), *others))
    name = f"{type.qualified_name}.{method.name}"
    type.methods[method.name] = Function(name, graph=graph, schema=schema)
