"""The front doors, which are modules and so beyond the import contracts, keep them too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
_LIST_MODULES = "import sys; {}; print('\\n'.join(sys.modules))"


def modules_after(statement: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after `statement`."""
    done = subprocess.run(
        [sys.executable, "-c", _LIST_MODULES.format(statement)],
        capture_output=True, text=True, cwd=ROOT, check=True, timeout=60,
    )  # fmt: skip
    return set(done.stdout.split())


@pytest.mark.parametrize("name", ["tsc.cli", "tsc"])
def test_a_front_door_loads_nothing_at_import(name: str) -> None:
    loaded = modules_after(f"import {name}")
    assert loaded.isdisjoint(
        {"numpy", "lark", "rich", "tsc.runtime.values.tensor", "tsc.compiler.compile", "torch"}
    )


def test_nothing_loads_torch() -> None:
    program = (
        "unit = tsc.CompilationUnit('def f(x):\\n  return torch.relu(x)'); unit.f(tsc.tensor(1.0))"
    )
    assert "torch" not in modules_after(f"import tsc; {program}; import tsc.cli")


def families_of_scipy(statement: str) -> set[str]:
    """The modules of SciPy that are loaded after `statement`, without what is private."""
    loaded = modules_after(statement)
    return {name for name in loaded if name.startswith("scipy.") and "._" not in name}


_NO_SCIPY = (
    "import tsc",
    "from tsc.cli import main; from click.testing import CliRunner;"
    " result = CliRunner().invoke(main, ['compile', '-'], input='def f(x):\\n  return x.lgamma()');"
    " assert result.exit_code == 0",
    "from tsc.runtime.operators import import_families; import_families()",
    "import tsc; unit = tsc.CompilationUnit('def f(x):\\n  return torch.linalg.inv(x).relu()');"
    " unit.f(tsc.eye(3))",
    "import tsc; tsc.CompilationUnit('def f(x):\\n  return torch.fft.rfft(x)').f(tsc.ones(100))",
)


@pytest.mark.parametrize("statement", _NO_SCIPY)
def test_only_kernels_that_need_scipy_load_it(statement: str) -> None:
    assert not families_of_scipy(statement)


def test_a_kernel_loads_the_part_of_scipy_that_it_needs() -> None:
    program = "def f(x):\\n  return torch.linalg.lu_factor(x)"
    loaded = families_of_scipy(f"import tsc; tsc.CompilationUnit('{program}').f(tsc.eye(3))")
    assert "scipy.linalg.lapack" in loaded
    assert loaded.isdisjoint({"scipy.fft", "scipy.special"})


def test_compiling_loads_no_colours() -> None:
    assert "rich" not in modules_after("import tsc; tsc.CompilationUnit('def f(x):\\n  return x')")


def test_compiling_loads_nothing_that_only_problems_need() -> None:
    loaded = modules_after("import tsc; tsc.CompilationUnit('def f(x):\\n  return x')")
    assert loaded.isdisjoint(
        {
            *("tsc.compiler.check", "tsc.compiler.explanations", "tsc.compiler.reports"),
            *("tsc.compiler.emit.recovery", "tsc.compiler.frontend.recovery"),
            "tsc.compiler.frontend.syntax_errors",
        }
    )


def test_checking_loads_the_explanations_that_it_shows_only() -> None:
    check = "runner = CliRunner(); runner.invoke(main, ['check', '-'], input='def f(x): return x')"
    loaded = modules_after(
        f"from tsc.cli import main; from click.testing import CliRunner; {check}"
    )
    assert "tsc.compiler.reports" in loaded
    assert loaded.isdisjoint(
        {"tsc.compiler.emit.recovery", "tsc.compiler.explanations.names", "rich"}
    )


_LOOP = "def f(n: int) -> int:\\n  t = 0\\n  for i in range(n):\\n    t += i\\n  return t"


@pytest.mark.parametrize("call", ["u.f(10)", "u.f(10); str(u.f.graph)"])
def test_a_loop_that_is_soon_over_loads_no_llvmlite(call: str) -> None:
    loaded = modules_after(f"import tsc; u = tsc.CompilationUnit('{_LOOP}'); {call}")
    assert "llvmlite" not in loaded


def test_a_program_without_loops_loads_nothing_of_native_code() -> None:
    program = "def f(n: int) -> int:\\n  return n + 1 if n > 2 else n"
    loaded = modules_after(f"import tsc; tsc.CompilationUnit('{program}').f(10)")
    assert not {name for name in loaded if name.startswith("tsc.runtime.native")}


def test_a_run_loads_only_what_it_needs() -> None:
    """Random numbers and temporary files take some 20 ms to import."""
    run = (
        "from tsc.cli import main; main(['run', 'samples/greedy_search.py'], standalone_mode=False)"
    )
    loaded = modules_after(run)
    assert "tsc.runtime.random.generator" in loaded
    assert loaded.isdisjoint({"numpy.random", "tempfile", "zipfile", "rich", "llvmlite"})
