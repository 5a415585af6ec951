"""Each command is wired to the function that performs it, and works under each of its names."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tsc.cli import main

ROOT = Path(__file__).parent.parent.parent
_EVALUATES_NOTHING = ("ops", "inspect", "audit")


@pytest.mark.parametrize("name", list(main.commands))
def test_a_command_is_performed_with_its_options(name: str) -> None:
    module = importlib.import_module(f"tsc.runtime.commands.{name.replace('-', '_')}")
    settings, *options = inspect.signature(module.perform).parameters.values()
    assert settings.name == "settings"
    assert {each.kind for each in options} == {inspect.Parameter.KEYWORD_ONLY}
    declared = {parameter.name for parameter in main.commands[name].params}
    limits = {"max_steps", "max_seconds", "max_memory"}
    assert {each.name for each in options} == declared - limits
    assert limits.isdisjoint(declared) if name in _EVALUATES_NOTHING else limits <= declared


def loaded_by(*arguments: str) -> set[str]:
    """The modules that a command line loads in an interpreter of its own."""
    program = (
        f"import sys\nfrom tsc.cli import main\nmain({arguments!r}, standalone_mode=False)\n"
        "print('loaded:', *sys.modules, sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.partition("loaded:\n")[2].split())


def test_help_loads_nothing_of_what_commands_do() -> None:
    loaded = {name for name in loaded_by("--help") if name.startswith("tsc.")}
    hooks = {f"tsc.runtime.context{each}" for each in ("", ".hooks", ".native_hooks")}
    commands = "tsc.runtime.commands"
    declarations = f"{commands}.declarations"
    declared = {f"{declarations}.{name}" for name in ("declaration", "files", "programs")}
    own = {commands, f"{commands}.invocation", f"{commands}.options", declarations, *declared}
    wiring = {"tsc.runtime", *own, *hooks}
    settings = {"tsc.compiler.process_settings", "tsc.compiler.uncaught_errors"}
    assert loaded <= {"tsc.cli", "tsc.compiler", *settings, *wiring}


@pytest.mark.parametrize("name", list(main.commands))
def test_the_help_of_a_command_loads_nothing_of_what_it_does(name: str) -> None:
    loaded = loaded_by(name, "--help")
    assert loaded.isdisjoint({"numpy", "rich", "lark", f"tsc.runtime.commands.{name}"})


def test_both_console_names_are_the_same_command(tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"tsc": "tsc.cli:main", "torchscript": "tsc.cli:main"}
    script = tmp_path / "torchscript"
    script.write_text("from tsc.cli import main\nmain()\n", encoding="utf-8")

    def torchscript(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, str(script), *arguments], capture_output=True, text=True, timeout=60
        )

    assert torchscript("--version").stdout == "tsc, version 0.1.0\n"
    assert torchscript("--help").stdout.startswith("Usage: torchscript [OPTIONS] COMMAND")
    assert torchscript("ops").returncode == 0
    refused = torchscript("compile")
    assert refused.returncode == 2
    assert "Usage: torchscript compile [OPTIONS] FILE" in refused.stderr
