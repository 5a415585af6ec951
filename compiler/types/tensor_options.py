"""Where and how a tensor lies: devices, layouts, memory formats, quantization schemes.

All but the device are ints at run time and in the IR, as in PyTorch.
"""

from __future__ import annotations

import re
from typing import Final

from tsc.compiler.value_classes import value_class

_DEVICE = re.compile(r"([a-z_]+)(?::(0|[1-9][0-9]{0,2}))?")

DEVICE_TYPES: Final = frozenset(
    (
        *("cpu", "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip", "fpga", "maia", "xla"),
        *("vulkan", "metal", "xpu", "mps", "meta", "hpu", "ve", "lazy", "ipu", "mtia"),
        "privateuseone",
    )
)


@value_class
class Device:
    """A device: ``Device("cpu")``, ``Device("cuda", 1)``. ``index`` is None where none is given."""

    type: str
    index: int | None = None

    @staticmethod
    def parse(text: str) -> Device:
        """Reads "cpu" or "cuda:1"; anything else is a ValueError."""
        match = _DEVICE.fullmatch(text)
        if match is None or match[1] not in DEVICE_TYPES:
            raise ValueError(f"Invalid device string: '{text}'")
        return Device(match[1], None if match[2] is None else int(match[2]))

    def __repr__(self) -> str:
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{index})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"


LAYOUTS: Final = {
    "strided": 0,
    "sparse_coo": 1,
    "sparse_csr": 2,
    "_mkldnn": 3,
    "sparse_csc": 4,
    "sparse_bsr": 5,
    "sparse_bsc": 6,
    "jagged": 7,
}

MEMORY_FORMATS: Final = {
    "contiguous_format": 0,
    "preserve_format": 1,
    "channels_last": 2,
    "channels_last_3d": 3,
}

QSCHEMES: Final = {
    "per_tensor_affine": 0,
    "per_channel_affine": 1,
    "per_tensor_symmetric": 2,
    "per_channel_symmetric": 3,
    "per_channel_affine_float_qparams": 4,
}
