"""``tsc.load``: what is refused, what is shared, and how programs of older versions are upgraded."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import tsc
from tsc.runtime.serialization.archive_writer import ArchiveContents, write_archive
from tsc.runtime.serialization.records import ContainerRecord, EnumRecord, ObjectRecord
from tsc.runtime.serialization.storage_table import StorageTable

RECORDED = Path(__file__).parents[1] / "oracle" / "archives" / "recorded"

HEAD = "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n"
FORWARD = "  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n    return {}\n"


def archive(
    code: str,
    state: dict[str, Any] | None = None,
    files: dict[str, str] | None = None,
    **other: Any,
) -> bytes:
    """An archive of a module ``__torch__.M`` with that code and state."""
    record = ObjectRecord("__torch__.M", state or {}, True)
    texts = {"__torch__.py": code, **(files or {})}
    target = io.BytesIO()
    write_archive(target, ArchiveContents(record, code=texts, **other))
    return target.getvalue()


def simple(expression: str, **other: Any) -> bytes:
    return archive(HEAD + FORWARD.format(expression), **other)


def refusal(content: bytes) -> str:
    with pytest.raises(tsc.ArchiveError) as raised:
        tsc.load(content)
    return str(raised.value)


def test_an_archive_can_be_a_path_a_file_or_bytes(tmp_path: Path) -> None:
    content = simple("torch.mul(x, 2)")
    path = tmp_path / "module.pt"
    path.write_bytes(content)
    for source in (path, str(path), io.BytesIO(content), content):
        assert tsc.load(source)(tsc.tensor([1.5])).tolist() == [3.0]


def test_extra_files_are_given_back() -> None:
    content = simple("x", extra_files={"labels.txt": "cat\ndog", "other": b"\x00"})
    extra: dict[str, Any] = {"labels.txt": "", "absent": ""}
    tsc.load(content, _extra_files=extra)
    assert extra == {"labels.txt": b"cat\ndog", "absent": b""}


def test_only_the_cpu_is_a_place_for_tensors() -> None:
    assert tsc.load(simple("x"), map_location="cpu") is not None
    with pytest.raises(tsc.ArchiveError, match="map_location"):
        tsc.load(simple("x"), map_location="cuda:0")


def test_other_files_are_named() -> None:
    assert "state_dict" in refusal(
        (Path(__file__).parent / "archives" / "checkpoint.pth").read_bytes()
    )
    assert "no TorchScript archive" in refusal(b"def f(x): return x\n")


# -- What is wrong in archives -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "state", "expected"),
    [
        ("class M(Module):\n  def f(self: ->\n", {}, "the code of the archive cannot be used"),
        ("class N(Module):\n  pass\n", {}, "no code of the class '__torch__.M'"),
        ("def M(x: Tensor) -> Tensor:\n  return x\n", {}, "no code of the class '__torch__.M'"),
        (HEAD + "  x : int\n", {"x": 1, "y": 2}, "has no attribute 'y'"),
        (HEAD + "  x : int\n", {"x": "text"}, "'text' where a value of type int belongs"),
        (HEAD + "  x : int\n", {}, "None where a value of type int belongs"),
        (HEAD + "  x : int\n  x : int\n", {"x": 1}, "declared twice"),
        (HEAD + "  x : List[int]\n", {"x": 3}, "belongs"),
        (HEAD + "  x : __torch__.N\n", {"x": 3}, "Unknown type name '__torch__.N'"),
        (HEAD + "  x : Tuple[int, int]\n", {"x": (1, 2, 3)}, "a tuple of 3"),
        (HEAD + "  for i in range(3):\n    pass\n", {}, "does not belong into the class"),
        ("class M:\n  pass\n", {}, "is no module"),
        ("class M(Module):\n  __parameters__ = 3\n", {}, "no list of names"),
        ('class M(Module):\n  __forward_hooks__ = ["h"]\n', {}, "the hook 'h' is no method"),
        (HEAD + "  def f():\n    return 1\n", {}, "takes no 'self'"),
        (
            HEAD + "  x : __torch__.torch.classes.quantized.Conv2dPackedParamsBase\n",
            {"x": None},
            "quantized.Conv2dPackedParamsBase",
        ),
    ],
)
def test_malformed_archives_are_refused(code: str, state: dict[str, Any], expected: str) -> None:
    message = refusal(archive(code, state))
    assert expected in message
    assert "Traceback" not in message


def test_a_mistake_in_the_body_of_a_method_is_told_when_it_is_called() -> None:
    code = HEAD + FORWARD.format("torch.mul(x, 2)") + FORWARD.format("x x").replace("forward", "g")
    module = tsc.load(archive(code))
    assert module(tsc.tensor([1.0])).tolist() == [2.0]
    for _ in range(2):
        with pytest.raises(tsc.CompileError, match=r"code/__torch__.py:9:13") as raised:
            module.g(tsc.tensor([1.0]))
    assert raised.value.range.text == "x"


def test_a_module_of_the_wrong_class_is_refused_for_an_interface() -> None:
    code = (
        HEAD
        + "  a : __torch__.I\n"
        + "class I(ModuleInterface):\n  def forward(self, x: Tensor) -> Tensor:\n    pass\n"
        + "class N(Module):\n  def other(self: __torch__.N) -> int:\n    return 1\n"
    )
    message = refusal(archive(code, {"a": ObjectRecord("__torch__.N", {}, True)}))
    assert "an object of the class '__torch__.N'" in message


def test_an_enum_has_the_members_of_its_class() -> None:
    code = HEAD + "  e : __torch__.E\nclass E(Enum):\n  A = 1\n"
    module = tsc.load(archive(code, {"e": EnumRecord("__torch__.E", 1)}))
    assert module.e.name == "A"
    assert "no member 2" in refusal(archive(code, {"e": EnumRecord("__torch__.E", 2)}))


def test_an_error_in_setstate_is_one_of_the_archive() -> None:
    code = (
        HEAD
        + "  def __setstate__(self: __torch__.M,\n    state: int) -> NoneType:\n"
        + '    ops.prim.RaiseException("no such state", None)\n    return None\n'
    )
    target = io.BytesIO()
    record = ObjectRecord("__torch__.M", 3, True)
    write_archive(target, ArchiveContents(record, code={"__torch__.py": code}))
    assert "no such state" in refusal(target.getvalue())


def test_an_endless_setstate_is_refused() -> None:
    code = (
        HEAD
        + "  def __setstate__(self: __torch__.M,\n    state: int) -> NoneType:\n"
        + "    n = state\n    _0 = True\n    while _0:\n      n = torch.add(n, 1)\n      _0 = torch.gt(n, 0)\n"
        + "    return None\n"
    )
    target = io.BytesIO()
    record = ObjectRecord("__torch__.M", 3, True)
    write_archive(target, ArchiveContents(record, code={"__torch__.py": code}))
    assert "__setstate__ failed" in refusal(target.getvalue())


def test_an_endless_chain_of_classes_is_refused() -> None:
    classes = "".join(
        f"class M{i}(Module):\n  a : __torch__.M{i + 1}\n" for i in range(5_000)
    )  # each needs the next one
    message = refusal(archive(HEAD + "  a : __torch__.M0\n" + classes, {"a": None}))
    assert "nested more than" in message


# -- What runs -----------------------------------------------------------------------------------


def test_methods_are_listed_with_their_schemas_before_any_is_compiled() -> None:
    code = HEAD + FORWARD.format("torch.no_such_operator(x)")
    module = tsc.load(archive(code))
    assert str(module.schema) == "forward(__torch__.M self, Tensor x) -> Tensor"
    with pytest.raises(tsc.CompileError, match="no_such_operator"):
        module(tsc.tensor([1.0]))


def test_lists_that_attributes_share_stay_shared() -> None:
    shared = ContainerRecord([1], "List[int]")
    code = (
        HEAD
        + "  a : List[int]\n  b : List[int]\n"
        + "  def forward(self: __torch__.M) -> List[int]:\n    a = self.a\n"
        + "    _0 = torch.append(a, 2)\n    b = self.b\n    return b\n"
    )
    assert tsc.load(archive(code, {"a": shared, "b": shared}))() == [1, 2]


def test_tensors_are_views_of_one_storage() -> None:
    base = tsc.tensor([1.0, 2.0, 3.0, 4.0])
    table = StorageTable()
    halves = tsc.CompilationUnit("def f(x):\n    return x[:3], x[1:]\n").f(base)
    state = {"a": table.record(halves[0]), "b": table.record(halves[1])}
    code = (
        HEAD
        + "  a : Tensor\n  b : Tensor\n"
        + "  def forward(self: __torch__.M) -> Tensor:\n    a = self.a\n"
        + "    _0 = torch.add_(a, 10)\n    b = self.b\n    return b\n"
    )
    module = tsc.load(archive(code, state, storages=table.contents()))
    assert module().tolist() == [12.0, 13.0, 4.0]


def test_constants_come_from_their_pickle() -> None:
    table = StorageTable()
    record = table.record(tsc.tensor([5, 6]))
    content = simple(
        "torch.add(x, CONSTANTS.c0)", constants=(record,), constant_storages=table.contents()
    )
    assert tsc.load(content)(tsc.tensor([1, 1])).tolist() == [6, 7]


def test_functions_are_found_in_the_files_of_their_qualifiers() -> None:
    files = {
        "__torch__/a/b.py": "def f(x: Tensor) -> Tensor:\n  return __torch__.a.___torch_mangle_0.f(x, )\n",
        "__torch__/a/___torch_mangle_0.py": "def f(x: Tensor,\n    k: int=3) -> Tensor:\n  return torch.mul(x, k)\n",
    }
    module = tsc.load(simple("__torch__.a.b.f(x, )", files=files))
    assert module(tsc.tensor([2])).tolist() == [6]


def test_eight_threads_use_one_module_at_once() -> None:
    module = tsc.load(RECORDED / "gru_tagger.pt")
    x = tsc.tensor([[[0.1, 0.2, 0.3, 0.4]]] * 5)
    with ThreadPoolExecutor(8) as pool:
        results = [each.tolist() for each in pool.map(module, [x] * 32)]
    assert all(each == results[0] for each in results)


def test_errors_point_into_the_original_program() -> None:
    module = tsc.load(RECORDED / "control_flow.pt")
    with pytest.raises(tsc.ScriptError) as raised:
        module(tsc.tensor([1.0]), -2)
        module(tsc.tensor(["a"]), -2)
    assert "classes.py" in str(raised.value) or "code/" not in str(raised.value)


# -- Versions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "argument", "old", "new", "version"),
    [
        ("torch.div(x, 2)", tsc.tensor([3, -3]), [1, -1], [1.5, -1.5], 4),
        ("torch.div(x, x)", tsc.tensor([3, -3]), [1, 1], [1.0, 1.0], 4),
        ("torch.div(x, 2.)", tsc.tensor([3]), [1.5], [1.5], 4),
        ("torch.div(x, 2)", tsc.tensor([3.0]), [1.5], [1.5], 4),
        ("torch.div_(x, 2)", tsc.tensor([3.0]), [1.5], [1.5], 4),
        ("torch.full([2], 7)", tsc.tensor(0), [7.0, 7.0], [7, 7], 5),
        ("torch.full([2], 7, dtype=3)", tsc.tensor(0), [7, 7], [7, 7], 5),
        ("torch.gelu(x)", tsc.tensor([0.0]), [0.0], [0.0], 10),
    ],
)
def test_operators_mean_what_they_meant(
    expression: str, argument: tsc.Tensor, old: Any, new: Any, version: int
) -> None:
    for written, expected in ((version - 1, old), (version, new)):
        module = tsc.load(simple(expression, version=written))
        result = module(
            tsc.CompilationUnit("def f(x):\n    return x.clone()\n").f(argument)
        ).tolist()
        assert result == expected
        assert list(map(type, result)) == list(map(type, expected))


@pytest.mark.parametrize(
    ("expression", "version", "length"),
    [
        ("torch.linspace(0, 1)", 7, 100),
        ("torch.linspace(0, 1, 5)", 7, 5),
        ("torch.logspace(0, 1)", 8, 100),
        ("torch.logspace(0, 1, 5, 2.)", 8, 5),
    ],
)
def test_steps_could_be_left_out(expression: str, version: int, length: int) -> None:
    assert tsc.load(simple(expression, version=version))(tsc.tensor(0)).shape == (length,)


def test_steps_must_be_given_today() -> None:
    with pytest.raises(tsc.CompileError, match="steps"):
        tsc.load(simple("torch.linspace(0, 1)", version=8))(tsc.tensor(0))
