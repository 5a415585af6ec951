"""What optimizers have in common: groups of parameters with their options, and the state of each parameter."""

from __future__ import annotations

import copy
import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from tsc.compiler.compile import compile_source
from tsc.compiler.source import Source
from tsc.runtime.autograd.tape import zero_gradients
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.grad_mode import EnableGrad, NoGrad
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.python_api import eager
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.values.tensor import Tensor

Parameters = Iterable[Tensor] | Iterable[tuple[str, Tensor]] | Iterable[dict[str, Any]]
Group = dict[str, Any]


class Optimizer:
    """Changes parameters by their gradients; a subclass says how in `update`.

    `params` are tensors, pairs of a name and a tensor, or groups: dicts with tensors under ``"params"`` and options
    that differ from `defaults`. `state` has a dict for each parameter that was changed.

    Raises:
        ScriptError: there are no parameters, one is in several groups, or is no leaf.
    """

    def __init__(self, params: Parameters, defaults: dict[str, Any]) -> None:
        if defaults.get("differentiable"):
            message = "steps that are recorded themselves (differentiable=True) are not implemented"
            raise ScriptError("NotImplementedError", message)
        self.defaults = defaults
        self.param_groups: list[Group] = []
        self.state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
        for group in _groups(params):
            self.add_param_group(group)

    def update(self, group: Group, parameter: Tensor, gradient: Tensor) -> None:
        """Change one parameter and its state. `gradient` is negated where the group is to be maximized."""
        raise NotImplementedError

    def add_param_group(self, param_group: Group) -> None:
        """Optimize more parameters: a dict with ``"params"`` and options; others are the defaults.

        Raises:
            ScriptError: as the constructor does.
        """
        if not isinstance(param_group, dict):
            message = f"param_group must be a dict, but got {type(param_group)}"
            raise ScriptError("TypeError", message)
        group = {**_with_list(param_group), **_missing(self.defaults, param_group)}
        if self.param_groups and ("param_names" in self.param_groups[0]) != (
            "param_names" in group
        ):
            message = "all optimizer param groups should be with names, or all without names"
            raise ScriptError("ValueError", message)
        known = {id(each) for other in self.param_groups for each in other["params"]}
        if any(id(each) in known for each in group["params"]):
            message = "some parameters appear in more than one parameter group"
            raise ScriptError("ValueError", message)
        self.param_groups.append(group)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Take the gradients of all parameters away, or make them zeros."""
        for group in self.param_groups:
            zero_gradients(group["params"], set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change the parameters that have gradients; `closure`, which may compute them anew, gives the result."""
        with EnableGrad():
            loss = None if closure is None else closure()
        with NoGrad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is not None:
                        gradient = -parameter.grad if group["maximize"] else parameter.grad
                        self.update(group, parameter, gradient)
        return loss

    # -- State -----------------------------------------------------------------------------------

    def begun(self, parameter: Tensor, *names: str, **where_asked: bool) -> dict[str, Any]:
        """The state of a parameter; at its first step, a count of steps and zeros under these names."""
        state = self.state[parameter]
        if not state:
            state["step"] = Tensor(np.zeros((), np.float32))
            for name in (*names, *(name for name, asked in where_asked.items() if asked)):
                state[name] = eager.call("zeros_like", parameter.detach())
        return state

    def state_dict(self) -> dict[str, Any]:
        """State and options in PyTorch's layout: parameters are numbers, in the order of the groups."""
        numbers: dict[int, int] = {}
        for parameter in self._parameters():
            numbers.setdefault(id(parameter), len(numbers))
        groups = [
            {**_without_params(group), "params": [numbers[id(each)] for each in group["params"]]}
            for group in self.param_groups
        ]
        state = {numbers[id(each)]: found for each, found in self.state.items()}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over what `state_dict` of tsc or PyTorch gave; tensors are copied, in the dtype of their parameter.

        Raises:
            ScriptError: the groups are not those of this optimizer.
        """
        groups = state_dict["param_groups"]
        _check_sizes(self.param_groups, groups)
        numbers = [number for group in groups for number in group["params"]]
        parameters = dict(zip(numbers, self._parameters()))
        self.state = defaultdict(dict)
        for number, state in state_dict["state"].items():
            parameter = parameters[number]
            self.state[parameter] = {
                name: _restored(name, value, parameter) for name, value in state.items()
            }
        for own, group in zip(self.param_groups, groups):
            own.update(copy.deepcopy(_without_params(group)))

    def _parameters(self) -> list[Tensor]:
        return [each for group in self.param_groups for each in group["params"]]

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {number}")
            options = sorted(_without_params(group).items())
            lines += [f"    {name}: {value}" for name, value in options]
        return "\n".join([*lines, ")"])


def check(name: str, value: Any, good: bool) -> None:
    """Raise `ScriptError` for an option that has no sense."""
    if not good:
        raise ScriptError("ValueError", f"Invalid {name}: {value}")


def number(value: float | Tensor) -> float:
    """An option that is a number, or a tensor of one element. Raises ScriptError for a tensor of several."""
    if isinstance(value, Tensor) and value.array.size != 1:
        raise ScriptError("ValueError", "Tensor lr must be 1-element, as other options are")
    return float(value)


@functools.cache
def compiled(text: str, name: str) -> ScriptFunction:
    """What an optimizer does to one parameter, from its TorchScript: the function ``update``."""
    return ScriptFunction(compile_source(Source(text, f"<{name}>"), toolchain(), {})["update"])


# -- Groups ------------------------------------------------------------------------------------------


def _groups(params: Any) -> list[Group]:
    if isinstance(params, Tensor):
        message = "params argument given to the optimizer should be an iterable of Tensors or dicts, but got a Tensor"
        raise ScriptError("TypeError", message)
    found = list(params)
    if not found:
        raise ScriptError("ValueError", "optimizer got an empty parameter list")
    return found if isinstance(found[0], dict) else [{"params": found}]


def _with_list(group: Group) -> Group:
    """A group whose parameters are a list, with their names apart. Raises ScriptError for what is no parameter."""
    given = group.get("params")
    if given is None:
        raise ScriptError("KeyError", "a group of parameters has them under 'params'")
    if isinstance(given, set):
        message = "parameters need to be organized in ordered collections: a set has another order in each run"
        raise ScriptError("TypeError", message)
    params = [given] if isinstance(given, Tensor) else list(given)
    names = [each[0] for each in params if isinstance(each, tuple)]
    if names and len(names) < len(params):
        raise ScriptError("ValueError", "all optimizer params should be with names, or all without")
    params = [each[1] if isinstance(each, tuple) else each for each in params]
    for each in params:
        _check_parameter(each)
    named = {"param_names": names} if names else {}
    return {**group, "params": params, **named}


def _check_parameter(parameter: Any) -> None:
    if not isinstance(parameter, Tensor):
        kind = type(parameter).__name__
        message = f"optimizer can only optimize Tensors, but one of the params is {kind}"
        raise ScriptError("TypeError", message)
    if not parameter.is_leaf:
        message = "can't optimize a non-leaf Tensor: it is the result of a computation"
        raise ScriptError("ValueError", message)


def _missing(defaults: dict[str, Any], group: Group) -> dict[str, Any]:
    return {name: value for name, value in defaults.items() if name not in group}


def _without_params(group: Group) -> dict[str, Any]:
    return {name: value for name, value in group.items() if name != "params"}


def _check_sizes(own: list[Group], loaded: list[Group]) -> None:
    if len(own) != len(loaded):
        message = "loaded state dict has a different number of parameter groups"
        raise ScriptError("ValueError", message)
    if [len(each["params"]) for each in own] != [len(each["params"]) for each in loaded]:
        message = "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
        raise ScriptError("ValueError", message)


def _restored(name: str, value: Any, parameter: Tensor) -> Any:
    """A copy of what was saved for a parameter; counts of steps keep their dtype."""
    if not isinstance(value, Tensor):
        return copy.deepcopy(value)
    if name == "step" or not parameter.dtype.is_floating_point:
        return value.detach().clone()
    return value.detach().to(parameter.dtype, copy=True)
