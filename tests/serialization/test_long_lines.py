"""Long operands beside constants that are used in several places become temporaries, as PyTorch prints them."""

from __future__ import annotations

from pathlib import Path

import tsc
from tests.inspection.made_archives import archive_of, net

BODY = """if torch.eq(torch.dim(x), 4):
  y = torch.relu(x)
else:
  if torch.eq(torch.dim(x), 5):
    ops.prim.RaiseException("five", "builtins.NotImplementedError")
    y = x
  else:
    _0 = torch.format("{} and {}", torch.dim(x), "nearest")
    ops.prim.RaiseException(_0, "builtins.NotImplementedError")
    y = x
return y"""


def test_the_text_of_an_error_is_assigned_before_it_is_raised(tmp_path: Path) -> None:
    code = tsc.load(archive_of(tmp_path / "m.pt", net(BODY))).code
    assert (
        '      _0 = torch.format("{} and {}", torch.dim(x), "nearest")\n'
        '      ops.prim.RaiseException(_0, "builtins.NotImplementedError")\n'
    ) in code
