"""The runtime: tensors over NumPy, operators, bytecode and its interpreter. May import ``compiler``.

A room imports only lower ones. What a lower room asks of a higher one is hung up here, on the hooks that
`context.hooks` declares, and loaded when it is first used.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from tsc.runtime.context import hooks, native_hooks


@hooks.eager_operators.provide
def _eager_operators() -> hooks.EagerOperators:
    from tsc.runtime.python_api import eager

    return eager


@hooks.tensor_indexing.provide
def _tensor_indexing() -> hooks.TensorIndexing:
    from tsc.runtime.python_api import tensor_indexing

    return tensor_indexing


@hooks.torch_functions.provide
def _torch_functions() -> hooks.TorchFunctions:
    from tsc.runtime.live import torch_protocol

    return torch_protocol


@hooks.object_face.provide
def _object_face() -> hooks.ObjectFace:
    from tsc.runtime.python_api import object_face

    return object_face


@hooks.foreign_tensors.provide
def _foreign_tensors() -> hooks.ForeignTensors:
    from tsc.runtime.live import torch_tensors

    return torch_tensors


@hooks.saving.provide
def _saving() -> hooks.Saving:
    from tsc.runtime.archives import saving

    return saving


@hooks.loading.provide
def _loading() -> hooks.Loading:
    from tsc.runtime.archives import loading

    return loading


def _room(name: str) -> Any:
    """What gives a module, when it is asked for: the module itself has what its hook names."""
    return partial(import_module, f"tsc.runtime.{name}")


hooks.defined_methods.provide(_room("live.defined_methods"))
hooks.backends.provide(_room("backends.modules"))
hooks.tape.provide(_room("autograd.tape"))
hooks.gradient_functions.provide(_room("execution.gradient_functions"))
hooks.differentiable_graphs.provide(_room("execution.differentiable_graphs"))
hooks.fusion_groups.provide(_room("native.fusion.fusion_groups"))
hooks.group_launches.provide(_room("native.fusion.group_launch"))
hooks.native_code.provide(_room("native.regions.groups"))
hooks.native_report.provide(_room("native.native_report"))
hooks.code_making.provide(_room("native.code_making"))
native_hooks.native_recurrent.provide(_room("native.recurrent.recurrent"))
native_hooks.native_dense.provide(_room("native.dense_layers.dense_layers"))
native_hooks.native_windows.provide(_room("native.large_windows.large_windows"))
native_hooks.window_steps.provide(_room("native.large_windows.window_step"))
native_hooks.native_attention.provide(_room("native.attention.attention"))
native_hooks.native_arrays.provide(_room("native.large_arrays.large_arrays"))
native_hooks.native_planes.provide(_room("native.large_windows.planes"))
native_hooks.native_orders.provide(_room("native.large_arrays.ordering"))
native_hooks.native_borders.provide(_room("native.borders.contents"))
native_hooks.native_numbers.provide(_room("native.borders.numbers"))
