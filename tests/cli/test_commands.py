"""The command line through its real entry point, as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent.parent
PROGRAM = """
import torch
from torch import Tensor

def double(x: Tensor, n: int = 2) -> Tensor:
    return x * n

def pick(xs: list[int], name: str | None = None) -> str:
    if name is None:
        name = "none"
    return name + str(len(xs))

print("a statement that is skipped")
"""


def tsc(
    *arguments: str, text: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `tsc` and return what it printed and its exit status."""
    return subprocess.run(
        [sys.executable, "-m", "tsc", *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
        env=os.environ | environment,
    )


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return str(path)


def test_help_teaches_by_example() -> None:
    shown = tsc("--help")
    assert shown.returncode == 0
    for command in ("compile", "run", "print-code", "ops"):
        assert f"tsc {command}" in shown.stdout
        assert "Example" in tsc(command, "--help").stdout


def test_version() -> None:
    assert tsc("--version").stdout.strip() == "tsc, version 0.1.0"


def test_compile_prints_the_ir_of_one_function(program: str) -> None:
    shown = tsc("compile", program, "double")
    assert shown.returncode == 0
    assert shown.stdout.startswith("graph(%x")
    assert "aten::mul(%x" in shown.stdout
    assert f"# {program}:6:11" in shown.stdout
    assert "\x1b" not in shown.stdout


@pytest.mark.parametrize(
    ("stage", "part"),
    [
        ("tokens", "NAME 'double'"),
        ("tree", "(def"),
        ("load-store", "prim::Store"),
        ("ssa", "graph("),
        ("ir", "graph("),
        ("inlined", "graph("),
        ("optimized", "graph("),
        ("bytecode", "0 "),
        ("schema", "double(Tensor x, int n=2) -> Tensor"),
    ],
)
def test_compile_dumps_every_stage(program: str, stage: str, part: str) -> None:
    shown = tsc("compile", program, "double", "--stage", stage)
    assert shown.returncode == 0, shown.stderr
    assert part in shown.stdout


def test_compile_dumps_all_stages_under_headings(program: str) -> None:
    shown = tsc("compile", program, "--stage", "all").stdout
    for heading in ("# tokens", "# tree", "# double (load-store)", "# pick (bytecode)"):
        assert heading in shown


def test_print_after_a_pass(program: str) -> None:
    shown = tsc("compile", program, "pick", "--print-after", "convert_to_ssa")
    assert shown.returncode == 0
    assert "# pick (after convert_to_ssa)" in shown.stdout
    every = tsc("compile", program, "pick", "--print-after-all").stdout
    assert every.index("after emit") < every.index("after convert_to_ssa") < every.index("pool")


def test_an_unknown_pass_is_a_usage_error(program: str) -> None:
    shown = tsc("compile", program, "--print-after", "convert_to_sas")
    assert shown.returncode == 2
    assert "did you mean convert_to_ssa" in shown.stderr


def test_run_prints_the_result(program: str) -> None:
    shown = tsc("run", program, "double", "--args", "torch.ones(2), n=3")
    assert (shown.returncode, shown.stdout) == (0, "tensor([3., 3.])\n")


def test_run_reads_types_from_the_schema(program: str) -> None:
    assert tsc("run", program, "pick", "--args", "[]").stdout == "'none0'\n"
    assert tsc("run", program, "pick", "--args", "[1, 2], name='a, b'").stdout == "'a, b2'\n"
    assert tsc("run", program, "pick", "--args", "[1], None").stdout == "'none1'\n"


def test_run_reads_and_writes_files(program: str, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.arange(3, dtype=np.float32))
    for suffix in ("npy", "npz", "json"):
        out = tmp_path / f"y.{suffix}"
        shown = tsc("run", program, "double", "--args", f"@{tmp_path / 'x.npy'}", "-o", str(out))
        assert (shown.returncode, shown.stdout) == (0, ""), shown.stderr
    assert np.load(tmp_path / "y.npy").tolist() == [0.0, 2.0, 4.0]
    assert np.load(tmp_path / "y.npz")["result"].dtype == np.float32
    assert json.loads((tmp_path / "y.json").read_text()) == [0.0, 2.0, 4.0]
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


def test_run_from_standard_input() -> None:
    shown = tsc("run", "-", "--args", "4", text="def f(n: int):\n    return n * n")
    assert (shown.returncode, shown.stdout) == (0, "16\n")


def test_seed_makes_random_numbers_repeat() -> None:
    text = "def f():\n    return torch.rand(2)"
    first = tsc("run", "-", "--seed", "7", text=text).stdout
    assert first == tsc("run", "-", "--seed", "7", text=text).stdout == "tensor([0.5349, 0.1988])\n"


def test_an_error_of_the_program_shows_its_stack() -> None:
    text = (
        "def g(x: int) -> int:\n    raise ValueError('no')\n\ndef main() -> int:\n    return g(1)\n"
    )
    shown = tsc("run", "-", text=text)
    assert shown.returncode == 1
    assert shown.stdout == ""
    assert "ValueError: no" in shown.stderr
    assert "<stdin>" in shown.stderr
    assert "~~~~" in shown.stderr and "<--- HERE" in shown.stderr
    assert "Traceback (most recent call last)" not in shown.stderr.replace("TorchScript", "")[:40]


def test_a_program_that_does_not_compile() -> None:
    shown = tsc("compile", "-", text="def f(x: int):\n    return y\n")
    assert shown.returncode == 1
    assert "undefined value y" in shown.stderr
    assert "<stdin>:2:11" in shown.stderr
    assert "<--- HERE" in shown.stderr


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("compile", "missing.py"), "missing.py"),
        (("run", "samples/loops.py", "nothing"), "there is no function 'nothing'"),
        (("run", "samples/loops.py", "skip_three", "--args", "(1"), "')' is missing"),
        (("run", "samples/loops.py", "skip_three", "--args", "1 +"), "--args"),
        (("run", "samples/loops.py", "skip_three", "--args", "@none.npy"), "none.npy"),
        (("run", "samples/loops.py", "-o", "x.txt"), ".npz"),
        (("compile", "samples/loops.py", "--stage", "no"), "no"),
        (("frobnicate",), "frobnicate"),
    ],
)
def test_a_wrong_command_line_exits_with_2(arguments: tuple[str, ...], part: str) -> None:
    shown = tsc(*arguments)
    assert shown.returncode == 2, shown.stderr
    assert part in shown.stderr
    assert "Traceback" not in shown.stderr


def test_a_runaway_program_is_stopped() -> None:
    text = "def f() -> int:\n    n = 0\n    while True:\n        n += 1\n    return n\n"
    for limit in (("--max-steps", "1000"), ("--max-seconds", "0.3")):
        shown = tsc("run", "-", *limit, text=text)
        assert shown.returncode == 1
        assert limit[0].removeprefix("--max-")[:4] in shown.stderr.lower()


def test_print_code_compiles_to_the_same_graph(program: str, tmp_path: Path) -> None:
    code = tsc("print-code", program, "double").stdout
    assert code.startswith("def double(x: Tensor,\n    n: int=2) -> Tensor:\n")
    again = tmp_path / "again.py"
    again.write_text(code, encoding="utf-8")
    strip = [line.split(" # ")[0] for line in tsc("compile", program, "double").stdout.split("\n")]
    assert strip == [
        line.split(" # ")[0] for line in tsc("compile", str(again), "double").stdout.split("\n")
    ]


def test_ops_lists_schemas() -> None:
    shown = tsc("ops", "aten::relu*").stdout.splitlines()
    assert "aten::relu(Tensor self) -> Tensor" in shown
    assert all("aten::relu" in line for line in shown)
    assert "aten::softmax" in tsc("ops", "--similar", "aten::sofmax").stdout
    assert tsc("ops", "nothing_like_this").returncode == 2


def test_verbose_lists_skipped_statements(program: str) -> None:
    assert "skipped: print(" in tsc("-v", "compile", program).stderr
    assert tsc("compile", program).stderr == ""


def test_colour_only_when_asked_for(program: str) -> None:
    assert "\x1b[" in tsc("--color", "compile", program, "double").stdout
    assert "\x1b[" not in tsc("--no-color", "compile", program, "double").stdout


def test_an_archive_is_refused_by_content(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_bytes(b"PK\x03\x04rest")
    shown = tsc("compile", str(path))
    assert shown.returncode == 2
    assert "archive" in shown.stderr


def test_one_long_operator_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "slow.py"
    path.write_text("def f(n: int) -> Tensor:\n    return torch.ones(n, n).mm(torch.ones(n, n))\n")
    shown = tsc("run", str(path), "--args", "6000", "--max-seconds", "0.1")
    assert (shown.returncode, shown.stdout) == (1, "")
    assert shown.stderr.endswith("stopped after 0.1 seconds\n")


def test_letters_that_the_encoding_lacks_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "unicode.py"
    path.write_text("def f() -> None:\n    print('größe →')\n", encoding="utf-8")
    shown = tsc("run", str(path), PYTHONIOENCODING="ascii")
    assert (shown.returncode, shown.stdout) == (0, "gr\\xf6\\xdfe \\u2192\n")


def test_output_goes_through_links_and_into_devices(program: str, tmp_path: Path) -> None:
    link, target = tmp_path / "link.txt", tmp_path / "target.txt"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    assert tsc("compile", program, "-o", str(link)).returncode == 0
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8").startswith("# double (ir)")
    assert target.stat().st_mode & 0o777 == 0o640
    assert tsc("compile", program, "double", "-o", "/dev/stdout").stdout.startswith("graph(")


def test_argument_files_are_read_as_the_schema_wants_them(tmp_path: Path) -> None:
    path = tmp_path / "lists.py"
    path.write_text("def count(xs: list[Tensor]) -> int:\n    return len(xs)\n")
    np.savez(tmp_path / "one.npz", x=np.ones(2))
    np.savez(tmp_path / "two.npz", x=np.ones(2), y=np.ones(3))
    for name, length in (("one", "1"), ("two", "2")):
        assert tsc("run", str(path), "--args", f"@{tmp_path}/{name}.npz").stdout == f"{length}\n"


def test_argument_files_in_another_byte_order_are_converted(program: str, tmp_path: Path) -> None:
    np.save(tmp_path / "big.npy", np.array([1.0, 2.0], dtype=">f4"))
    shown = tsc("run", program, "double", "--args", f"@{tmp_path}/big.npy")
    assert shown.stdout == "tensor([2., 4.])\n"


def test_argument_files_without_numbers_are_a_wrong_usage(program: str, tmp_path: Path) -> None:
    np.save(tmp_path / "text.npy", np.array(["a"]))
    shown = tsc("run", program, "double", "--args", f"@{tmp_path}/text.npy")
    assert shown.returncode == 2
    assert shown.stderr.startswith(f"@{tmp_path}/text.npy: can't convert")


def test_a_file_without_functions_compiles_to_nothing() -> None:
    shown = tsc("compile", "-", text="N = 3\n")
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, "", "")
