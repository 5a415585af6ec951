"""The facade: every name it lists is there, and means what the documentation says."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

import tsc


@pytest.mark.parametrize("name", tsc.__all__)
def test_every_listed_name_is_there(name: str) -> None:
    assert getattr(tsc, name) is getattr(tsc, name)
    assert name in dir(tsc)


def test_type_checkers_are_told_the_same_names() -> None:
    stub = ast.parse(Path(tsc.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    told: dict[str, object] = {}
    for node in stub.body:
        if isinstance(node, ast.ImportFrom):
            told |= {name.name: node.module for name in node.names if name.name == name.asname}
        elif isinstance(node, ast.Assign):
            told |= {target.id: None for target in node.targets if isinstance(target, ast.Name)}
    assert set(told) == set(tsc.__all__)
    homes = {name: home for name, home in told.items() if name in tsc._HOME and home is not None}
    assert homes == {name: tsc._HOME[name] for name in homes}


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = tsc.nothing


def test_dtypes_print_as_pytorch_prints_them() -> None:
    assert [str(dtype) for dtype in (tsc.float32, tsc.int64, tsc.bool)] == [
        "torch.float32", "torch.int64", "torch.bool",
    ]  # fmt: skip
    assert str(tsc.tensor([1, 2], dtype=tsc.float16).dtype) == "torch.float16"


def test_arrays_share_their_memory() -> None:
    unit = tsc.CompilationUnit("def f(x: Tensor):\n    x.add_(1)\n    return x\n")
    array = np.zeros(2, dtype=np.float32)
    unit.f(array)
    assert array.tolist() == [1.0, 1.0]


def test_no_grad_is_a_context() -> None:
    with tsc.no_grad():
        assert tsc.tensor([1.0]).item() == 1.0


def test_define_adds_all_functions_or_none() -> None:
    unit = tsc.CompilationUnit("def f(x: int):\n    return x\n")
    with pytest.raises(tsc.CompileError):
        unit.define("def g(x: int):\n    return f(x)\n\ndef h():\n    return y\n")
    with pytest.raises(AttributeError):
        _ = unit.g
    unit.define("def g(x: int):\n    return f(x) + 1\n")
    assert unit.g(1) == 2


def test_every_error_is_a_tsc_error() -> None:
    assert issubclass(tsc.CompileError, tsc.Error)
    assert issubclass(tsc.ScriptError, tsc.Error)


def test_a_compile_error_tells_its_parts() -> None:
    with pytest.raises(tsc.CompileError) as raised:
        tsc.CompilationUnit("def f():\n    return nothing\n", filename="f.py")
    assert raised.value.message.startswith("undefined value nothing")
    assert str(raised.value.range) == "f.py:2:11"


def test_a_script_error_tells_its_kind() -> None:
    unit = tsc.CompilationUnit("def f():\n    raise KeyError('gone')\n")
    with pytest.raises(tsc.ScriptError) as raised:
        unit.f()
    assert raised.value.kind == "KeyError"


def test_an_operator_and_a_pass_of_ones_own() -> None:
    seen: list[str] = []
    tsc.register_operator("facade::negated(Tensor x) -> Tensor", lambda x: -x)
    tsc.register_pass(lambda graph: seen.append(str(graph)))
    unit = tsc.CompilationUnit("def f(x):\n    return torch.ops.facade.negated(x)\n")
    assert unit.f(tsc.tensor([1.0])).tolist() == [-1.0]
    assert any("facade::negated" in text for text in seen)


def test_strict_rejects_what_pytorch_rejects() -> None:
    source = "def f(n: int) -> int:\n    if n == 0:\n        return 0\n    return f(n - 1)\n"
    assert tsc.CompilationUnit(source).f(3) == 0
    with pytest.raises(tsc.CompileError, match="recursive"):
        tsc.CompilationUnit(source, strict=True)


def test_sibling_files_are_read(tmp_path) -> None:
    (tmp_path / "shapes.py").write_text("def area(w: int, h: int) -> int:\n    return w * h\n")
    main = tmp_path / "main.py"
    main.write_text("from shapes import area\n\ndef f(n: int) -> int:\n    return area(n, n) + 1\n")
    unit = tsc.compile_file(main)
    assert unit.f(3) == 10
    assert 'prim::Constant[name="area"]' in str(unit.f.graph)


def test_functions_may_have_any_name() -> None:
    names = ("function", "compiled", "choose", "from_source", "source", "graph")
    unit = tsc.CompilationUnit("".join(f"def {n}() -> str:\n    return '{n}'\n" for n in names))
    assert [getattr(unit, name)() for name in names] == list(names)
    assert set(names) < set(dir(unit))
    with pytest.raises(AttributeError, match="no function 'other'"):
        unit.other()


def test_a_function_is_defined_once() -> None:
    unit = tsc.CompilationUnit("def f() -> int:\n    return 1\n")
    with pytest.raises(tsc.CompileError, match="method 'f' already defined"):
        unit.define("def g() -> int:\n    return 3\ndef f() -> int:\n    return 2\n")
    assert unit.f() == 1
    assert not hasattr(unit, "g")


def test_keyword_only_arguments_are_never_positional() -> None:
    unit = tsc.CompilationUnit("def f(x: int, *, y: int = 3) -> int:\n    return x + y\n")
    for _ in range(2):
        with pytest.raises(tsc.ScriptError, match="takes 1 positional argument"):
            unit.f(1, 2)
        assert (unit.f(1), unit.f(1, y=5)) == (4, 6)


def test_results_of_registered_operators_are_converted() -> None:
    tsc.register_operator("facade::sine(Tensor x) -> Tensor", lambda x: np.sin(x.numpy()))
    unit = tsc.CompilationUnit("def f(x):\n    return torch.ops.facade.sine(x) + 1\n")
    assert unit.f(tsc.tensor([0.0])).tolist() == [1.0]


def test_registered_operators_run_as_often_as_the_program_says_unless_they_are_pure() -> None:
    runs: list[str] = []
    for name in ("unknown", "pure"):
        given = {"effects": "pure"} if name == "pure" else {}
        schema = f"facade::counted_{name}(int n) -> int"
        tsc.register_operator(schema, lambda n, name=name: runs.append(name) or n, **given)
        call = f"torch.ops.facade.counted_{name}(n)"
        tsc.CompilationUnit(f"def f(n: int):\n    {call}\n    return {call} + {call}\n").f(1)
    assert runs.count("unknown") == 3
    assert runs.count("pure") in (1, 2)  # the result of the first call is not used
    with pytest.raises(tsc.Error, match="effects are one of 'pure', 'random', 'side effect'"):
        tsc.register_operator("facade::odd(int n) -> int", abs, effects="odd")


@pytest.mark.parametrize(
    ("name", "function", "message"),
    [
        ("raises", lambda n: {}[n], "facade::raises raised KeyError: 1"),
        ("mistaken", lambda n: "one", "facade::mistaken returned: Unable to cast .* str to int"),
    ],
)
def test_registered_operators_that_fail_are_errors_of_the_program(name, function, message) -> None:
    tsc.register_operator(f"facade::{name}(int n) -> int", function)
    unit = tsc.CompilationUnit(f"def f(n: int):\n    return torch.ops.facade.{name}(n)\n")
    with pytest.raises(tsc.ScriptError, match=message) as caught:
        unit.f(1)
    assert "line 2, in f" in str(caught.value)


@pytest.mark.parametrize("function", [3, lambda: 1, lambda a, b: a])
def test_an_operator_takes_the_arguments_of_its_schema(function) -> None:
    with pytest.raises(tsc.Error, match=r"operator|schema"):
        tsc.register_operator("facade::unfit(int n) -> int", function)


@pytest.mark.parametrize(
    "call",
    [
        lambda: tsc.from_numpy([1.0]),
        lambda: tsc.from_numpy(np.array(["a"])),
        lambda: tsc.manual_seed("one"),
        lambda: tsc.device(3),
        lambda: tsc.device("nowhere"),
        lambda: tsc.tensor("a"),
        lambda: tsc.tensor([[1], [2, 3]]),
        lambda: tsc.parse_ir("graph(%x):"),
        lambda: tsc.parse_schema("f("),
        lambda: tsc.compile_file("/does/not/exist.py"),
    ],
)
def test_bad_input_raises_an_error_of_tsc(call) -> None:
    with pytest.raises(tsc.Error):
        call()


def test_devices_print_as_pytorch_prints_them() -> None:
    assert repr(tsc.device("cpu")) == "device(type='cpu')"
    assert repr(tsc.device("cuda", 1)) == "device(type='cuda', index=1)"


def test_no_grad_is_a_context_and_a_decorator() -> None:
    @tsc.no_grad()
    def doubled(n: int) -> int:
        return 2 * n

    assert doubled(2) == 4
    with tsc.no_grad():
        assert doubled(3) == 6
