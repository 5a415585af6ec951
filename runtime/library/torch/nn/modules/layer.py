# What layers have in common: settings that arguments give, and the text that shows them.
import math

import torch
from torch.nn import Module, Parameter, init


class _Layer(Module):
    # Shown are values alone, then names with values, then those that are not as here.
    _shown_values = ()
    _shown = ()
    _shown_unless = {}

    def __init__(self, **settings) -> None:
        super().__init__()
        for name, value in settings.items():
            setattr(self, name, value)

    # Each to be filled; None is for a parameter that is left out.
    def _add_parameters(self, sizes, device, dtype) -> None:
        for name, size in sizes.items():
            parameter = None
            if size is not None:
                parameter = Parameter(torch.empty(size, device=device, dtype=dtype))
            self.register_parameter(name, parameter)

    def extra_repr(self) -> str:
        named = list(self._shown)
        for name, usual in self._shown_unless.items():
            if getattr(self, name) != usual:
                named.append(name)
        parts = [str(getattr(self, name)) for name in self._shown_values]
        parts += [f"{name}={getattr(self, name)!r}" for name in named]
        return ", ".join(parts)


# Both between bounds that fall with the number of inputs of each output.
def _draw_affine(weight, bias) -> None:
    init.kaiming_uniform_(weight, a=math.sqrt(5))
    if bias is not None:
        inputs, _ = init._calculate_fan_in_and_fan_out(weight)
        bound = 1 / math.sqrt(inputs) if inputs > 0 else 0
        init.uniform_(bias, -bound, bound)


# What changes nothing: a normalization begins so.
def _fill_affine(weight, bias) -> None:
    if weight is not None:
        init.ones_(weight)
    if bias is not None:
        init.zeros_(bias)
