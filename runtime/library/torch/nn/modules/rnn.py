# Recurrent layers over padded or packed sequences, and their single steps. Each `forward` has PyTorch's graph,
# which fixes the order of its checks and the names of what it passes on.
import math
import warnings
from typing import List, Optional, Tuple

import torch
from torch import Tensor
from torch.nn import Parameter, init
from torch.nn.modules.layer import _Layer
from torch.nn.utils.rnn import PackedSequence

_GATES = {"RNN_TANH": 1, "RNN_RELU": 1, "GRU": 3, "LSTM": 4}


def _draw_recurrent(layer) -> None:
    bound = 1 / math.sqrt(layer.hidden_size) if layer.hidden_size > 0 else 0
    for weight in layer.parameters():
        init.uniform_(weight, -bound, bound)


def _check_settings(settings) -> None:
    if settings["mode"] not in _GATES:
        raise ValueError(f"a recurrent layer is one of {list(_GATES)}, not {settings['mode']!r}")
    for kind, names in ((bool, ("bias", "batch_first")), (int, ("input_size", "hidden_size"))):
        for name in names:
            if not isinstance(settings[name], kind):
                raise TypeError(f"{name} is of type {kind.__name__}, not {settings[name]!r}")
    for name in ("input_size", "hidden_size", "num_layers"):
        if settings[name] <= 0:
            raise ValueError(f"{name} is at least 1, not {settings[name]}")
    if not 0 <= settings["proj_size"] < settings["hidden_size"]:
        raise ValueError(f"proj_size is smaller than hidden_size: {settings['proj_size']}")
    dropout = settings["dropout"]
    if isinstance(dropout, bool) or not 0 <= dropout <= 1:
        raise ValueError(f"dropout is a probability, not {dropout!r}")
    if dropout > 0 and settings["num_layers"] == 1:
        warnings.warn("dropout stands between layers: a single layer has none")


def _apply_permutation(tensor: Tensor, permutation: Tensor, dim: int = 1) -> Tensor:
    return tensor.index_select(dim, permutation)


# Weights are named by kind, layer and direction: `weight_hh_l1_reverse`. The kernels take them as one list,
# `_flat_weights`, which holds what the names stand for.
class RNNBase(_Layer):
    __constants__ = [
        *("mode", "input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout"),
        *("bidirectional", "proj_size"),
    ]
    __jit_unused_properties__ = ["all_weights"]
    _shown_values = ["input_size", "hidden_size"]
    _shown_unless = {
        "proj_size": 0,
        "num_layers": 1,
        "bias": True,
        "batch_first": False,
        "dropout": 0,
        "bidirectional": False,
    }

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device=None,
        dtype=None,
    ) -> None:
        settings = {
            "mode": mode,
            "input_size": input_size,
            "hidden_size": hidden_size,
            "num_layers": num_layers,
            "bias": bias,
            "batch_first": batch_first,
            "dropout": dropout,
            "bidirectional": bidirectional,
            "proj_size": proj_size,
        }
        _check_settings(settings)
        super().__init__(**settings)
        self.dropout = float(dropout)
        shapes = [self._shapes(layer) for layer in range(num_layers)]
        ends = ("", "_reverse") if bidirectional else ("",)
        by_direction = [
            {f"{kind}_l{layer}{end}": shape for kind, shape in shapes[layer].items()}
            for layer in range(num_layers)
            for end in ends
        ]
        for named in by_direction:
            self._add_parameters(named, device, dtype)
        self._flat_weights_names = [name for named in by_direction for name in named]
        self._all_weights = [list(named) for named in by_direction]
        self._flat_weights = [getattr(self, name) for name in self._flat_weights_names]
        self.reset_parameters()

    # Of the weights of one direction of a layer; each but the first reads both directions of the one before.
    def _shapes(self, layer):
        state_size = self.proj_size if self.proj_size > 0 else self.hidden_size
        width = state_size * (2 if self.bidirectional else 1) if layer > 0 else self.input_size
        rows = _GATES[self.mode] * self.hidden_size
        shapes = {"weight_ih": (rows, width), "weight_hh": (rows, state_size)}
        if self.bias:
            shapes.update(bias_ih=(rows,), bias_hh=(rows,))
        if self.proj_size > 0:
            shapes["weight_hr"] = (self.proj_size, self.hidden_size)
        return shapes

    # A weight that is replaced is replaced in the list, too.
    def __setattr__(self, name, value) -> None:
        super().__setattr__(name, value)
        if name in getattr(self, "_flat_weights_names", ()) and hasattr(self, "_flat_weights"):
            self._flat_weights[self._flat_weights_names.index(name)] = value

    def reset_parameters(self) -> None:
        _draw_recurrent(self)

    # Weights are one piece of memory only where cuDNN wants it.
    def flatten_parameters(self) -> None:
        pass

    @property
    def all_weights(self):
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def _update_flat_weights(self) -> None:
        pass

    # The sizes of a state whose features are `width` in number.
    def _state_sizes(
        self, input: Tensor, batch_sizes: Optional[Tensor], width: int
    ) -> Tuple[int, int, int]:
        if batch_sizes is None:
            batch = input.size(0 if self.batch_first else 1)
        else:
            batch = int(batch_sizes[0])
        return self.num_layers * (2 if self.bidirectional else 1), batch, width

    def get_expected_hidden_size(
        self, input: Tensor, batch_sizes: Optional[Tensor]
    ) -> Tuple[int, int, int]:
        width = self.proj_size if self.proj_size > 0 else self.hidden_size
        return self._state_sizes(input, batch_sizes, width)

    def check_input(self, input: Tensor, batch_sizes: Optional[Tensor]) -> None:
        dimensions = 3 if batch_sizes is None else 2
        if input.dim() != dimensions or input.size(-1) != self.input_size:
            raise RuntimeError(
                f"an input of {dimensions} dimensions with {self.input_size} features (input_size) "
                f"is expected, got {list(input.size())}"
            )

    def check_hidden_size(
        self,
        hx: Tensor,
        expected_hidden_size: Tuple[int, int, int],
        msg: str = "Expected hidden size {}, got {}",
    ) -> None:
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_forward_args(
        self, input: Tensor, hidden: Tensor, batch_sizes: Optional[Tensor]
    ) -> None:
        self.check_input(input, batch_sizes)
        expected_hidden_size = self.get_expected_hidden_size(input, batch_sizes)
        self.check_hidden_size(hidden, expected_hidden_size)

    def permute_hidden(self, hx: Tensor, permutation: Optional[Tensor]):
        return hx if permutation is None else _apply_permutation(hx, permutation)


class RNN(RNNBase):
    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device=None,
        dtype=None,
    ) -> None:
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"nonlinearity is 'tanh' or 'relu', not {nonlinearity!r}")
        sizes = (input_size, hidden_size, num_layers)
        flags = (bias, batch_first, dropout, bidirectional)
        mode = f"RNN_{nonlinearity.upper()}"
        super().__init__(mode, *sizes, *flags, device=device, dtype=dtype)
        self.nonlinearity = nonlinearity

    @torch._jit_internal._overload_method
    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
        pass

    @torch._jit_internal._overload_method
    def forward(
        self, input: PackedSequence, hx: Optional[Tensor] = None
    ) -> Tuple[PackedSequence, Tensor]:
        pass

    def forward(self, input, hx=None):
        self._update_flat_weights()
        directions = 2 if self.bidirectional else 1
        given = input
        if isinstance(given, PackedSequence):
            input, batch_sizes, sorted_indices, unsorted_indices = input
            max_batch_size = batch_sizes[0]
        else:
            batch_sizes = sorted_indices = unsorted_indices = None
            if input.dim() not in (2, 3):
                raise ValueError(
                    f"RNN: Expected input to be 2D or 3D, got {input.dim()}D tensor instead"
                )
            is_batched, batch_dim = input.dim() == 3, 0 if self.batch_first else 1
            if not is_batched:
                input = input.unsqueeze(batch_dim)
                if hx is not None:
                    if hx.dim() != 2:
                        raise RuntimeError(
                            "For unbatched 2-D input, hx should also be 2-D "
                            f"but got {hx.dim()}-D tensor"
                        )
                    hx = hx.unsqueeze(1)
            else:
                if hx is not None and hx.dim() != 3:
                    raise RuntimeError(
                        f"For batched 3-D input, hx should also be 3-D but got {hx.dim()}-D tensor"
                    )
            max_batch_size = input.size(batch_dim)
        if hx is None:
            states = self.num_layers * directions
            hx = torch.zeros(
                states, max_batch_size, self.hidden_size, dtype=input.dtype, device=input.device
            )
        else:
            hx = self.permute_hidden(hx, sorted_indices)
        self.check_forward_args(input, hx, batch_sizes)
        shape = (self._flat_weights, self.bias, self.num_layers, self.dropout)
        if batch_sizes is None:
            flags = (self.training, self.bidirectional, self.batch_first)
            if self.mode == "RNN_TANH":
                result = torch.rnn_tanh(input, hx, *shape, *flags)
            else:
                result = torch.rnn_relu(input, hx, *shape, *flags)
        else:
            modes = (self.training, self.bidirectional)
            if self.mode == "RNN_TANH":
                result = torch.rnn_tanh(input, batch_sizes, hx, *shape, *modes)
            else:
                result = torch.rnn_relu(input, batch_sizes, hx, *shape, *modes)
        output, hidden = result[0], result[1]
        if isinstance(given, PackedSequence):
            output_packed = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
            return output_packed, self.permute_hidden(hidden, unsorted_indices)
        if not is_batched:
            output, hidden = output.squeeze(batch_dim), hidden.squeeze(1)
        return output, self.permute_hidden(hidden, unsorted_indices)


class GRU(RNNBase):
    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device=None,
        dtype=None,
    ) -> None:
        sizes = (input_size, hidden_size, num_layers)
        flags = (bias, batch_first, dropout, bidirectional)
        super().__init__("GRU", *sizes, *flags, device=device, dtype=dtype)

    @torch._jit_internal._overload_method
    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
        pass

    @torch._jit_internal._overload_method
    def forward(
        self, input: PackedSequence, hx: Optional[Tensor] = None
    ) -> Tuple[PackedSequence, Tensor]:
        pass

    def forward(self, input, hx=None):
        self._update_flat_weights()
        given = input
        if isinstance(given, PackedSequence):
            input, batch_sizes, sorted_indices, unsorted_indices = input
            max_batch_size = batch_sizes[0]
        else:
            batch_sizes = sorted_indices = unsorted_indices = None
            if input.dim() not in (2, 3):
                raise ValueError(f"GRU: Expected input to be 2D or 3D, got {input.dim()}D instead")
            is_batched, batch_dim = input.dim() == 3, 0 if self.batch_first else 1
            if not is_batched:
                input = input.unsqueeze(batch_dim)
                if hx is not None:
                    if hx.dim() != 2:
                        raise RuntimeError(
                            "For unbatched 2-D input, hx should also be 2-D "
                            f"but got {hx.dim()}-D tensor"
                        )
                    hx = hx.unsqueeze(1)
            else:
                if hx is not None and hx.dim() != 3:
                    raise RuntimeError(
                        f"For batched 3-D input, hx should also be 3-D but got {hx.dim()}-D tensor"
                    )
            max_batch_size = input.size(batch_dim)
        if hx is None:
            states = self.num_layers * (2 if self.bidirectional else 1)
            hx = torch.zeros(
                states, max_batch_size, self.hidden_size, dtype=input.dtype, device=input.device
            )
        else:
            hx = self.permute_hidden(hx, sorted_indices)
        self.check_forward_args(input, hx, batch_sizes)
        shape = (self._flat_weights, self.bias, self.num_layers, self.dropout)
        if batch_sizes is None:
            flags = (self.training, self.bidirectional, self.batch_first)
            result = torch.gru(input, hx, *shape, *flags)
        else:
            modes = (self.training, self.bidirectional)
            result = torch.gru(input, batch_sizes, hx, *shape, *modes)
        output, hidden = result
        if isinstance(given, PackedSequence):
            output_packed = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
            return output_packed, self.permute_hidden(hidden, unsorted_indices)
        if not is_batched:
            output, hidden = output.squeeze(batch_dim), hidden.squeeze(1)
        return output, self.permute_hidden(hidden, unsorted_indices)


# The state is a pair: hidden state, cell state.
class LSTM(RNNBase):
    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device=None,
        dtype=None,
    ) -> None:
        sizes = (input_size, hidden_size, num_layers)
        flags = (bias, batch_first, dropout, bidirectional)
        super().__init__("LSTM", *sizes, *flags, proj_size, device, dtype)

    def get_expected_cell_size(
        self, input: Tensor, batch_sizes: Optional[Tensor]
    ) -> Tuple[int, int, int]:
        return self._state_sizes(input, batch_sizes, self.hidden_size)

    def check_forward_args(
        self, input: Tensor, hidden: Tuple[Tensor, Tensor], batch_sizes: Optional[Tensor]
    ) -> None:
        self.check_input(input, batch_sizes)
        self.check_hidden_size(
            hidden[0],
            self.get_expected_hidden_size(input, batch_sizes),
            "Expected hidden[0] size {}, got {}",
        )
        self.check_hidden_size(
            hidden[1],
            self.get_expected_cell_size(input, batch_sizes),
            "Expected hidden[1] size {}, got {}",
        )

    def permute_hidden(
        self, hx: Tuple[Tensor, Tensor], permutation: Optional[Tensor]
    ) -> Tuple[Tensor, Tensor]:
        if permutation is None:
            return hx
        return _apply_permutation(hx[0], permutation), _apply_permutation(hx[1], permutation)

    @torch._jit_internal._overload_method
    def forward(
        self, input: Tensor, hx: Optional[Tuple[Tensor, Tensor]] = None
    ) -> Tuple[Tensor, Tuple[Tensor, Tensor]]:
        pass

    @torch._jit_internal._overload_method
    def forward(
        self, input: PackedSequence, hx: Optional[Tuple[Tensor, Tensor]] = None
    ) -> Tuple[PackedSequence, Tuple[Tensor, Tensor]]:
        pass

    def forward(self, input, hx=None):
        self._update_flat_weights()
        batch_sizes = None
        directions = 2 if self.bidirectional else 1
        width = self.proj_size if self.proj_size > 0 else self.hidden_size
        given = input
        if isinstance(given, PackedSequence):
            input, batch_sizes, sorted_indices, unsorted_indices = input
            max_batch_size = batch_sizes[0]
        else:
            sorted_indices = unsorted_indices = None
            if input.dim() not in (2, 3):
                raise ValueError(f"LSTM: Expected input to be 2D or 3D, got {input.dim()}D instead")
            is_batched, batch_dim = input.dim() == 3, 0 if self.batch_first else 1
            if not is_batched:
                input = input.unsqueeze(batch_dim)
            max_batch_size = input.size(batch_dim)
        if hx is None:
            h_zeros = torch.zeros(
                self.num_layers * directions,
                max_batch_size,
                width,
                dtype=input.dtype,
                device=input.device,
            )
            c_zeros = torch.zeros(
                self.num_layers * directions,
                max_batch_size,
                self.hidden_size,
                dtype=input.dtype,
                device=input.device,
            )
            hx = (h_zeros, c_zeros)
            if batch_sizes is None:
                self.check_forward_args(input, hx, batch_sizes)
        else:
            if batch_sizes is None:
                if is_batched:
                    if hx[0].dim() != 3 or hx[1].dim() != 3:
                        msg = (
                            "For batched 3-D input, hx and cx should also be 3-D "
                            f"but got ({hx[0].dim()}-D, {hx[1].dim()}-D) tensors"
                        )
                        raise RuntimeError(msg)
                else:
                    if hx[0].dim() != 2 or hx[1].dim() != 2:
                        msg = (
                            "For unbatched 2-D input, hx and cx should also be 2-D "
                            f"but got ({hx[0].dim()}-D, {hx[1].dim()}-D) tensors"
                        )
                        raise RuntimeError(msg)
                    hx = (hx[0].unsqueeze(1), hx[1].unsqueeze(1))
                self.check_forward_args(input, hx, batch_sizes)
            hx = self.permute_hidden(hx, sorted_indices)
        shape = (self._flat_weights, self.bias, self.num_layers, self.dropout)
        if batch_sizes is None:
            flags = (self.training, self.bidirectional, self.batch_first)
            result = torch.lstm(input, hx, *shape, *flags)
        else:
            modes = (self.training, self.bidirectional)
            result = torch.lstm(input, batch_sizes, hx, *shape, *modes)
        output, hidden = result[0], result[1:]
        if isinstance(given, PackedSequence):
            output_packed = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
            return output_packed, self.permute_hidden(hidden, unsorted_indices)
        if not is_batched:
            output = output.squeeze(batch_dim)
            hidden = (hidden[0].squeeze(1), hidden[1].squeeze(1))
        return output, self.permute_hidden(hidden, unsorted_indices)


# One step of one layer; `num_chunks` is the number of gates.
class RNNCellBase(_Layer):
    __constants__ = ["input_size", "hidden_size", "bias"]
    _shown_values = ["input_size", "hidden_size"]
    _shown_unless = {"bias": True}

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool,
        num_chunks: int,
        device=None,
        dtype=None,
    ) -> None:
        super().__init__(input_size=input_size, hidden_size=hidden_size, bias=bias)
        rows = num_chunks * hidden_size
        sizes = {"weight_ih": (rows, input_size), "weight_hh": (rows, hidden_size)}
        sizes |= dict.fromkeys(("bias_ih", "bias_hh"), rows if bias else None)
        self._add_parameters(sizes, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        _draw_recurrent(self)


class RNNCell(RNNCellBase):
    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device=None,
        dtype=None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tensor:
        if input.dim() not in (1, 2):
            raise ValueError(f"RNNCell: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if hx is not None and hx.dim() not in (1, 2):
            raise ValueError(f"RNNCell: Expected hidden to be 1D or 2D, got {hx.dim()}D instead")
        is_batched = input.dim() == 2
        input = input.unsqueeze(0) if not is_batched else input
        if hx is None:
            hx = torch.zeros(
                input.size(0), self.hidden_size, dtype=input.dtype, device=input.device
            )
        else:
            hx = hx.unsqueeze(0) if not is_batched else hx
        if self.nonlinearity == "tanh":
            weights = (self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
            ret = torch.rnn_tanh_cell(input, hx, *weights)
        elif self.nonlinearity == "relu":
            weights = (self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
            ret = torch.rnn_relu_cell(input, hx, *weights)
        else:
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        ret = ret.squeeze(0) if not is_batched else ret
        return ret

    def extra_repr(self) -> str:
        shown = super().extra_repr()
        return (
            shown if self.nonlinearity == "tanh" else f"{shown}, nonlinearity={self.nonlinearity}"
        )


class GRUCell(RNNCellBase):
    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device=None, dtype=None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tensor:
        if input.dim() not in (1, 2):
            raise ValueError(f"GRUCell: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if hx is not None and hx.dim() not in (1, 2):
            raise ValueError(f"GRUCell: Expected hidden to be 1D or 2D, got {hx.dim()}D instead")
        is_batched = input.dim() == 2
        input = input.unsqueeze(0) if not is_batched else input
        if hx is None:
            hx = torch.zeros(
                input.size(0), self.hidden_size, dtype=input.dtype, device=input.device
            )
        else:
            hx = hx.unsqueeze(0) if not is_batched else hx
        weights = (self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        ret = torch.gru_cell(input, hx, *weights)
        ret = ret.squeeze(0) if not is_batched else ret
        return ret


class LSTMCell(RNNCellBase):
    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device=None, dtype=None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(
        self, input: Tensor, hx: Optional[Tuple[Tensor, Tensor]] = None
    ) -> Tuple[Tensor, Tensor]:
        if input.dim() not in (1, 2):
            raise ValueError(f"LSTMCell: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if hx is not None:
            for idx, value in enumerate(hx):
                if value.dim() not in (1, 2):
                    raise ValueError(
                        f"LSTMCell: Expected hx[{idx}] to be 1D or 2D, got {value.dim()}D instead"
                    )
        is_batched = input.dim() == 2
        input = input.unsqueeze(0) if not is_batched else input
        if hx is None:
            zeros = torch.zeros(
                input.size(0), self.hidden_size, dtype=input.dtype, device=input.device
            )
            hx = (zeros, zeros)
        else:
            hx = (hx[0].unsqueeze(0), hx[1].unsqueeze(0)) if not is_batched else hx
        weights = (self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        ret = torch.lstm_cell(input, hx, *weights)
        if not is_batched:
            ret = (ret[0].squeeze(0), ret[1].squeeze(0))
        return ret
