"""Archives made by hand, where PyTorch would not write what a test needs."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

RECORDED = Path(__file__).parent.parent / "serialization" / "archives"
NET = "class Net(Module):\n  __parameters__ = []\n  __buffers__ = []\n"
_MODULE = b"\x80\x02c__torch__.m\nNet\nq\x00)\x81}b."


def archive_of(path: Path, code: dict[str, str], more: dict[str, bytes] | None = None) -> Path:
    """A TorchScript archive with the given files of code, and further entries or other contents."""
    entries = {
        "data.pkl": _MODULE,
        "constants.pkl": b"\x80\x02).",
        "version": b"3\n",
        **{f"code/{name}": text.encode() for name, text in code.items()},
        **(more or {}),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in entries.items():
            archive.writestr(zipfile.ZipInfo(f"m/{name}"), content)
    path.write_bytes(buffer.getvalue())
    return path


def net(body: str, parameters: str = "x: Tensor") -> dict[str, str]:
    """The code of a module whose forward has the given lines."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    head = f"  def forward(self: __torch__.m.Net,\n    {parameters}) -> Tensor:\n"
    return {"__torch__/m.py": f"{NET}{head}{lines}"}
