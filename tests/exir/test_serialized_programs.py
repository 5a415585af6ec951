"""Files that are not as PyTorch writes them: each is refused with the place of what is wrong."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

import tsc
from tsc.runtime.serialization.zip_writer import ZipWriter

from .recorded import recorded_path

MODEL = "models/model.json"
WEIGHTS = "data/weights/model_weights_config.json"


def replaced(name: str, record: str, replacement: bytes) -> bytes:
    """A recorded file with another record in the place of one."""
    out = io.BytesIO()
    writer = ZipWriter(out.write)
    with zipfile.ZipFile(recorded_path(name)) as archive:
        for entry in archive.namelist():
            is_replaced = entry.partition("/")[2] == record
            writer.add(entry, replacement if is_replaced else archive.read(entry))
    writer.close()
    return out.getvalue()


def changed(name: str, record: str, change: Callable[[Any], object]) -> bytes:
    """A recorded file in whose JSON something is changed."""
    with zipfile.ZipFile(recorded_path(name)) as archive:
        (entry,) = [each for each in archive.namelist() if each.endswith(f"/{record}")]
        value = json.loads(archive.read(entry))
    change(value)
    return replaced(name, record, json.dumps(value).encode())


def node(program: Any, number: int = 0) -> Any:
    return program["graph_module"]["graph"]["nodes"][number]


def specs(program: Any) -> Any:
    return program["graph_module"]["signature"]["input_specs"]


def weight(config: Any) -> Any:
    return next(iter(config["config"].values()))


def own_tree(program: Any) -> None:
    """Arguments in a container of somebody's own."""
    signature = program["graph_module"]["module_call_graph"][0]["signature"]
    signature["in_spec"] = signature["in_spec"].replace("builtins.dict", "mine.Container")


REFUSED: dict[str, tuple[str, Callable[[Any], object], str]] = {
    "another schema": (
        MODEL,
        lambda p: p["schema_version"].update(major=9),
        "the program has schema version 9; 8 is read",
    ),
    "no graph": (MODEL, lambda p: p.pop("graph_module"), "has no field graph_module"),
    "unknown node": (
        MODEL,
        lambda p: node(p)["inputs"][0].update(arg={"as_tensor": {"name": "nowhere"}}),
        "there is no node 'nowhere' before this one",
    ),
    "two in a union": (
        MODEL,
        lambda p: node(p)["inputs"][0]["arg"].update(as_int=3),
        "is to have one field",
    ),
    "a number for a name": (MODEL, lambda p: node(p).update(target=3), "is to be a str"),
    "a name that is taken": (
        MODEL,
        lambda p: node(p)["outputs"][0]["as_sym_int"].update(as_name="x"),
        "'x' is no name that a node can have here",
    ),
    "a container of somebody": (MODEL, own_tree, "is no tuple of a tuple and a dict"),
    "a script object": (
        MODEL,
        lambda p: specs(p).__setitem__(0, {"custom_obj": {"arg": {"name": "t"}}}),
        "custom_obj are not read\nhint: export a module that keeps what the script object holds",
    ),
    "an expression that calls": (
        MODEL,
        lambda p: p["graph_module"]["graph"]["tensor_values"]["x"]["sizes"].__setitem__(
            0, {"as_expr": {"expr_str": "__import__('os').system('echo')", "hint": None}}
        ),
        "is no symbolic expression",
    ),
    "a tensor outside of its storage": (
        WEIGHTS,
        lambda c: weight(c)["tensor_meta"].update(sizes=[{"as_int": 100}]),
        "which has 4",
    ),
    "a negative stride": (
        WEIGHTS,
        lambda c: weight(c)["tensor_meta"].update(strides=[{"as_int": -1}]),
        "-1 is no size of a tensor",
    ),
    "no record": (WEIGHTS, lambda c: weight(c).update(path_name="../x"), "there is no record"),
    "too many dimensions": (
        WEIGHTS,
        lambda c: weight(c)["tensor_meta"].update(sizes=[{"as_int": 1}] * 100),
        "more than 64 dimensions",
    ),
}


@pytest.mark.parametrize(("record", "change", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_said(record: str, change: Callable[[Any], object], reason: str) -> None:
    with pytest.raises(tsc.ArchiveError) as caught:
        tsc.load_exported(changed("Counter", record, change))
    assert reason in str(caught.value)


@pytest.mark.parametrize("content", [b"[", b"{" * 100_000, b'{"a":' * 100_000, b"\xff", b"3"])
def test_what_is_no_json_object_is_refused(content: bytes) -> None:
    with pytest.raises(tsc.ArchiveError):
        tsc.load_exported(replaced("Add", MODEL, content))


@pytest.mark.parametrize(
    ("record", "content"), [("archive_version", b"7"), ("archive_format", b"zip")]
)
def test_other_layouts_are_refused(record: str, content: bytes) -> None:
    with pytest.raises(tsc.ArchiveError, match=f"{record} holds '{content.decode()}'"):
        tsc.load_exported(replaced("Add", record, content))


def test_other_files_are_named() -> None:
    with pytest.raises(tsc.ArchiveError, match="this is no exported program, but a text"):
        tsc.load_exported(b"def f(): pass\n")


def test_an_operator_that_tsc_has_not_is_named_when_it_is_to_run() -> None:
    def change(program: Any) -> None:
        node(program, 1)["target"] = "torch.ops.mine.frobnicate.default"

    program = tsc.load_exported(changed("Counter", MODEL, change))
    assert "torch.ops.mine.frobnicate.default" in str(program.graph)
    with pytest.raises(
        tsc.Error, match=r"calls torch\.ops\.mine\.frobnicate\.default, which tsc has"
    ):
        program.module()


def test_loops_in_conditions_of_loops_do_not_multiply_without_end() -> None:
    """Each loop has its condition twice in the graph that runs."""

    def nest(program: Any) -> None:
        plain = json.dumps(node(program))
        inner = json.loads(plain)
        for _ in range(20):
            outer = json.loads(plain)
            condition = outer["inputs"][0]["arg"]["as_graph"]["graph"]
            inner["name"] = "inner"
            inner["inputs"][2]["arg"] = {
                "as_tensors": [e["as_tensor"] for e in condition["inputs"]]
            }
            inner["outputs"] = [{"as_tensor": {"name": name}} for name in ("inner_x", "inner_n")]
            condition["nodes"].insert(0, inner)
            inner = outer
        program["graph_module"]["graph"]["nodes"][0] = inner

    program = tsc.load_exported(changed("Loop", MODEL, nest))
    with pytest.raises(tsc.Error, match="nested in the conditions of loops too deep"):
        program.module()
