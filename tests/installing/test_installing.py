"""Installed, tsc is one package: what users call their own files does not matter to it, nor the other way round."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMES = ("compiler", "runtime", "cli")
SOURCES = ("compiler", "runtime", "README.md", "LICENSE", "pyproject.toml")
SCRIPT = """
import cli, compiler, runtime, tests
import tsc

assert (cli.MINE, compiler.MINE, runtime.MINE, tests.MINE) == (1, 1, 1, 1)
unit = tsc.CompilationUnit("def f(x: Tensor) -> Tensor:\\n    return torch.relu(x) + 1\\n")
print(unit.f(tsc.tensor([1.0, -1.0])), tsc.load(DIGITS).original_name)
"""
PRINTED = "tensor([2., 1.]) Digits\n"


def pip(python: Path | str, *arguments: str) -> None:
    command = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is installed, so that building leaves nothing behind in the real one."""
    copy = tmp_path_factory.mktemp("copies") / "tsc"
    copy.mkdir()
    without = shutil.ignore_patterns("__pycache__")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=without)
        else:
            shutil.copy(ROOT / name, copy)
    for file in [*ROOT.glob("*.py"), *ROOT.glob("*.pyi"), ROOT / "py.typed"]:
        shutil.copy(file, copy)
    return copy


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheels")
    pip(
        sys.executable,
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(folder),
        str(checkout),
    )
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """A folder with a script, beside files and a folder that are called as ours are."""
    folder = tmp_path / "user"
    (folder / "tests").mkdir(parents=True)
    for name in NAMES:
        (folder / f"{name}.py").write_text("MINE = 1\n")
    (folder / "tests" / "__init__.py").write_text("MINE = 1\n")
    digits = ROOT / "samples" / "archives" / "digits.pt"
    (folder / "script.py").write_text(SCRIPT.replace("DIGITS", repr(str(digits))))
    return folder


def environment(folder: Path) -> Path:
    """The Python of a new virtual environment, which finds what tsc depends on, and no tsc."""
    venv.create(folder, with_pip=False)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    site = sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)})
    Path(site, "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return python


def printed(python: Path, folder: Path, *arguments: str) -> str:
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(python), *arguments], capture_output=True, text=True, cwd=folder, env=variables, timeout=60
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_holds_one_package_and_all_of_it(wheel: Path) -> None:
    names = [Path(name) for name in zipfile.ZipFile(wheel).namelist()]
    inside = {name.relative_to("tsc") for name in names if name.parts[0] == "tsc"}
    assert {name.parts[0] for name in names} == {"tsc", names[-1].parts[0]}
    assert not {name.parts[0] for name in inside} & {
        "tests",
        "bench",
        "samples",
        "docs",
        "setup.py",
    }
    for folder in ("compiler", "runtime"):
        files = {file.relative_to(ROOT) for file in (ROOT / folder).rglob("*") if file.is_file()}
        assert {file for file in files if "__pycache__" not in file.parts} <= inside
    assert {Path("py.typed"), Path("__init__.pyi"), Path("cli.py")} <= inside


@pytest.mark.parametrize("editable", [False, True], ids=["wheel", "editable"])
def test_a_script_beside_files_with_our_names_runs(
    wheel: Path, checkout: Path, user: Path, tmp_path: Path, editable: bool
) -> None:
    python = environment(tmp_path / "environment")
    what = ["--editable", str(checkout)] if editable else [str(wheel)]
    options = ["--no-deps", "--no-build-isolation", "--no-index"]
    pip(sys.executable, "--python", str(python), "install", *options, *what)
    assert printed(python, user, "script.py") == PRINTED
    assert printed(python, user, "-m", "tsc", "--version").startswith("tsc, version")
    for command in ("tsc", "torchscript"):
        assert printed(python.parent / command, user, "--version").startswith("tsc, version")
    (user / "program.py").write_text("def f(x: int) -> int:\n    return x + 1\n")
    assert printed(python.parent / "tsc", user, "run", "program.py", "--args", "2") == "3\n"
