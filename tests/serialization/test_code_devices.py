"""Devices baked into the code of an archive, and how they are taken for the CPU."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from click.testing import CliRunner

import tsc
from tests.inspection.made_archives import archive_of, net
from tsc.cli import main
from tsc.runtime.archives.code_devices import moved_to_the_cpu

BODY = (
    'y = "torch.device(\\"cuda\\")"\n'
    '_0 = torch.zeros([2], dtype=6, layout=None, device=torch.device("cuda:0"), pin_memory=False)\n'
    'return torch.to(torch.add(x, _0), torch.device("cuda:0"), 6)'
)


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ('torch.device("cuda:0")', 'torch.device("cpu"   )'),
        ("torch . device( 'cuda' )", 'torch . device( "cpu"  )'),
        ('f("torch.device(\\"cuda\\")")', 'f("torch.device(\\"cuda\\")")'),
        ('# torch.device("cuda")', '# torch.device("cuda")'),
        ('torch.device("cpu")', 'torch.device("cpu")'),
        ("torch.device(name)", "torch.device(name)"),
        ("x.device", "x.device"),
    ],
)
def test_literals_alone_are_moved_and_nothing_changes_its_place(text: str, moved: str) -> None:
    assert moved_to_the_cpu("m.py", text) == moved


def test_a_program_of_a_gpu_runs_when_it_is_mapped(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "net.pt", net(BODY))
    with pytest.raises(
        tsc.ScriptError, match=r"device .cuda:0. is not available.*map_location='cpu'"
    ):
        tsc.load(path)(tsc.tensor([1.0, 2.0]))
    model = tsc.load(path, map_location="cpu")
    assert model(tsc.tensor([1.0, 2.0])).tolist() == [1.0, 2.0]
    file = io.BytesIO()
    model.save(file)
    assert tsc.load(file.getvalue())(tsc.tensor([1.0, 2.0])).tolist() == [1.0, 2.0]


def test_the_command_line_maps_too(tmp_path: Path) -> None:
    path = str(archive_of(tmp_path / "net.pt", net(BODY)))
    arguments = ["run", path, "--map-location", "cpu", "--args", "torch.ones(2)"]
    result = CliRunner().invoke(main, arguments, prog_name="tsc")
    assert (result.exit_code, result.stdout) == (0, "tensor([1., 1.])\n")
    source = tmp_path / "f.py"
    source.write_text("def f() -> int:\n    return 1\n", encoding="utf-8")
    refused = CliRunner().invoke(main, ["run", str(source), "--map-location", "cpu"])
    assert refused.exit_code == 2
    assert "--map-location is for archives" in refused.stderr
