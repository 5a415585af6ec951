"""Whatever way PyTorch accepts to write a file from an archive's code, the audit finds."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
import torch

from tsc.runtime.audit.audit import audit_file
from tsc.runtime.audit.policy import read_policy

from .made_archives import archive_of, net

pytestmark = pytest.mark.oracle

WAYS = {
    "plainly": 'torch.save(x, "FILE")',
    "by namespace": 'ops.aten.save(x, "FILE")',
    "by another name of torch": 't = torch\nt.save(x, "FILE")',
    "by another name of the operator": 's = torch.save\ns(x, "FILE")',
    "by getattr": 'getattr(torch, "save")(x, "FILE")',
    "by getattr of another name": 't = torch\ngetattr(t, "save")(x, "FILE")',
    "in brackets": '(torch).save(x, "FILE")',
    "over two lines": 'torch.\\\n  save(x, "FILE")',
    "over lines in brackets": '(torch\n  .\n  save)(x, "FILE")',
    "behind a text of two lines": "'''\n'''\ntorch.save(x, \"FILE\")",
    "behind an escaped quote": 'y = "\\""\ntorch.save(x, "FILE")',
    "behind an escaped backslash": 'y = "\\\\"\ntorch.save(x, "FILE")',
    "behind a quote in the other quotes": 'y = \'"\'\ntorch.save(x, "FILE")',
    "behind a comment with a quote": 'y = 1 # \'\ntorch.save(x, "FILE")',
    "behind a return of the carriage": 'y = "a\rb"\ntorch.save(x, "FILE")',
    "behind a line separator": 'y = "\u2028"\ntorch.save(x, "FILE")',
    "in a comprehension": 'y = [torch.save(x, "FILE") for i in [1]]',
}


def write_with_pytorch(path: Path) -> None:
    """Load the archive and run it, up to the error that some of them end with."""
    with contextlib.suppress(RuntimeError):
        torch.jit.load(path)(torch.ones(1))


@pytest.mark.parametrize("way", WAYS)
def test_no_way_to_write_a_file_is_missed(tmp_path: Path, way: str) -> None:
    out = tmp_path / "written"
    body = WAYS[way].replace("FILE", str(out)) + "\nreturn x"
    path = archive_of(tmp_path / "net.pt", net(body))
    write_with_pytorch(path)
    codes = {each.rule.code for each in audit_file(str(path), read_policy(None)).findings}
    assert out.exists()
    assert codes & {"TA302", "TA304"}
