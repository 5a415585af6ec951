"""Graphs of archives have the numbers and names that PyTorch gives them, which reads their code by other rules
than Python's."""

from __future__ import annotations

import re
from pathlib import Path

import tsc
from tests.inspection.made_archives import archive_of, net

INNER = """class Inner(Module):
  __parameters__ = []
  __buffers__ = []
  def forward(self: __torch__.m.Inner,
    x: Tensor) -> Tensor:
    return torch.relu(x)
"""


def graph(path: Path) -> str:
    """The graph of ``forward`` without comments."""
    return re.sub(r" # \S+:\d+:\d+", "", str(tsc.load(path).graph))


def test_a_negative_number_is_one_constant(tmp_path: Path) -> None:
    code = net("y = torch.expand(x, [torch.size(x, 0), -1, -1])\nreturn torch.cat([y], 1)")
    assert graph(archive_of(tmp_path / "m.pt", code)) == (
        "graph(%self : __torch__.m.Net,\n"
        "      %x.1 : Tensor):\n"
        "  %8 : bool = prim::Constant[value=0]()\n"
        "  %4 : int = prim::Constant[value=0]()\n"
        "  %6 : int = prim::Constant[value=-1]()\n"
        "  %12 : int = prim::Constant[value=1]()\n"
        "  %5 : int = aten::size(%x.1, %4)\n"
        "  %7 : int[] = prim::ListConstruct(%5, %6, %6)\n"
        "  %y.1 : Tensor = aten::expand(%x.1, %7, %8)\n"
        "  %11 : Tensor[] = prim::ListConstruct(%y.1)\n"
        "  %13 : Tensor = aten::cat(%11, %12)\n"
        "  return (%13)\n"
    )


def test_a_temporary_does_not_number_what_it_holds(tmp_path: Path) -> None:
    code = net('_0 = getattr(self, "0")\nreturn (_0).forward(x, )')
    head, _, rest = code["__torch__/m.py"].partition("  def forward")
    text = f'{INNER}{head}  __annotations__["0"] = __torch__.m.Inner\n  def forward{rest}'
    pickled = b"\x80\x02c__torch__.m\nNet\n)\x81}X\x01\x00\x00\x000c__torch__.m\nInner\n)\x81}bsb."
    path = archive_of(tmp_path / "m.pt", {"__torch__/m.py": text}, {"data.pkl": pickled})
    assert '%_0 : __torch__.m.Inner = prim::GetAttr[name="0"](%self.1)\n' in graph(path)
