"""Where things are in a `.pt2` file, of version 0 of the archive: it is read and written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FORMAT: Final = "pt2"
ARCHIVE_VERSION: Final = "0"
MODELS: Final = "models/"
SAMPLES: Final = "data/sample_inputs"


@dataclass(frozen=True, slots=True)
class Payloads:
    """A folder of tensors: their storages are called "weight_0" and so on, and a record tells which is where."""

    folder: str
    prefix: str
    suffix: str

    def config(self, name: str) -> str:
        """The record that tells where the tensors of a program are."""
        return f"{self.folder}/{name}_{self.suffix}.json"


WEIGHTS: Final = Payloads("data/weights", "weight_", "weights_config")
CONSTANTS: Final = Payloads("data/constants", "tensor_", "constants_config")
