"""`tsc audit` through its real entry point: what it finds, and what it lets pass."""

from __future__ import annotations

import json
import pickle
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.serialization.hostile_zips import overlapping, zip_of
from tsc.cli import main

from .made_archives import NET, RECORDED, archive_of, net

CLEAN, FOUND, UNREAD = 0, 1, 2
RUNS_A_SHELL = b"cposix\nsystem\n(S'touch /tmp/pwned'\ntR."


def audited(*arguments: str) -> tuple[int, str, str]:
    """The exit status of `tsc audit`, and what it printed on standard output and on standard error."""
    result = CliRunner().invoke(main, ["audit", *arguments], prog_name="tsc")
    assert "bug of tsc" not in result.stderr
    return result.exit_code, result.stdout, result.stderr


def findings_of(path: Path, *options: str) -> list[dict[str, Any]]:
    _, out, _ = audited(str(path), "--format", "json", *options)
    return json.loads(out)["findings"]


def codes_of(path: Path, *options: str) -> list[str]:
    return [each["code"] for each in findings_of(path, *options)]


@pytest.mark.parametrize(
    "name",
    ["attributes.pt", "frozen.pt", "tensors.pt", "mobile.ptl", "checkpoint.pth", "legacy.pth"],
)
def test_what_pytorch_writes_is_clean(name: str) -> None:
    status, out, err = audited(str(RECORDED / name))
    assert (status, err) == (CLEAN, "")
    assert out.endswith("\nnothing found\n")


def test_a_method_that_runs_at_load_is_found_with_its_line() -> None:
    status, out, _ = audited(str(RECORDED / "state.pt"))
    assert status == FOUND
    assert "TA301 warning: code/__torch__/tests/serialization/pytorch_archives.py:15: " in out
    assert "State.__setstate__ runs when the archive is loaded" in out


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        ('torch.save(x, "/tmp/x")\nreturn x', "TA302", "aten::save is denied"),
        ('return torch.from_file("/etc/passwd")', "TA302", "aten::from_file is denied"),
        ("return ops.aten.set_data(x, x)", "TA302", "aten::set_data is denied"),
        ("y = x.set_data\nreturn x", "TA302", ".set_data may be aten::set_data, which is denied"),
        ('y = getattr(x, "set_data")\nreturn x', "TA302", ".set_data may be aten::set_data"),
        ("return ^Evil()(x)", "TA302", "prim::PythonOp calls Evil"),
        ('return ops.debugprims.load_tensor("f")', "TA302", "debugprims::load_tensor is denied"),
        ("return ops.mylib.run(x)", "TA303", "mylib::run is not among the operators"),
        ('t = torch\nt.save(x, "/tmp/x")\nreturn x', "TA304", "torch is used as a value"),
        ("o = ops.aten\nreturn x", "TA304", "ops.aten is used as a value"),
        ('y = getattr(x, "set" "_data")\nreturn x', "TA304", "getattr of a name that is not plain"),
        ("y = torch.classes.my.Thing()\nreturn x", "TA305", "__torch__.torch.classes.my.Thing"),
        ("return torch.as_strided(x, [9], [9])", "TA307", "aten::as_strided is to be reviewed"),
    ],
)
def test_risky_code_is_found(tmp_path: Path, body: str, code: str, message: str) -> None:
    path = archive_of(tmp_path / "net.pt", net(body))
    found = [each for each in findings_of(path) if each["code"] == code]
    assert [each["message"][: len(message)] for each in found] == [message]
    assert found[0]["line"] == 6


def test_strings_and_comments_that_look_like_operators_are_none(tmp_path: Path) -> None:
    body = 'y = "torch.save(x)"  # torch.save(x)\nreturn torch.relu(x)'
    assert codes_of(archive_of(tmp_path / "net.pt", net(body))) == []


def test_an_operator_is_found_however_its_name_is_spaced(tmp_path: Path) -> None:
    body = 'y = (torch .\n      save)(x, "f")\nreturn x'
    assert codes_of(archive_of(tmp_path / "net.pt", net(body))) == ["TA302"]


def test_the_bytecode_for_mobile_is_judged_as_the_code_is(tmp_path: Path) -> None:
    operators = (("aten::save", "", 2), ("mylib::run", "", 1), ("aten::relu", "", 1))
    types = ("__torch__.torch.classes.my.Thing", "List[float]")
    table = (("operators", operators), ("types", types))
    bytecode = (8, ("__torch__.m.Net.forward", table, ()), ("__torch__.m.Net.__setstate__", (), ()))
    more = {"bytecode.pkl": pickle.dumps(bytecode, 2)}
    found = findings_of(archive_of(tmp_path / "net.ptl", net("return x"), more))
    assert [(each["code"], each["message"]) for each in found] == [
        ("TA302", "aten::save is denied"),
        ("TA301", "__torch__.m.Net.__setstate__ runs when the archive is loaded"),
        ("TA303", "mylib::run is not among the operators that are allowed"),
        ("TA305", "__torch__.torch.classes.my.Thing is a class of C++"),
    ]
    assert {each["entry"] for each in found} == {"bytecode.pkl"}


def test_code_that_cannot_be_parsed_is_found(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "net.pt", {"__torch__/m.py": f"{NET}  def (:\n"})
    assert codes_of(path) == ["TA306"]


def test_a_pickle_that_runs_a_program_is_found_with_its_call(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "net.pt", net("return x"), {"data.pkl": RUNS_A_SHELL})
    (found,) = findings_of(path)
    assert found["code"] == "TA201"
    assert "posix.system, called as posix.system('touch /tmp/pwned')" in found["message"]
    assert found["entry"] == "m/data.pkl"


class _Evil:
    def __reduce__(self) -> tuple[Any, ...]:
        return eval, ("print('run')",)


@pytest.mark.parametrize("protocol", range(6))
def test_every_protocol_of_pickles_is_followed(tmp_path: Path, protocol: int) -> None:
    path = tmp_path / "evil.pkl"
    path.write_bytes(pickle.dumps({"weights": [1, 2], "evil": _Evil()}, protocol))
    status, out, err = audited(str(path))
    assert (status, err) == (FOUND, "")
    assert "eval, called as " in out
    assert "TA201 error: names " in out


def test_names_that_are_hidden_from_simple_scanners_are_found(tmp_path: Path) -> None:
    put_and_got = b"\x80\x04\x8c\x02os\x940\x8c\x06system\x940h\x00h\x01\x93\x8c\x02ls\x85R."
    instance = b"(S'ls'\nios\nsystem\n."
    for number, content in enumerate((put_and_got, instance)):
        path = tmp_path / f"{number}.pkl"
        path.write_bytes(content)
        (found,) = findings_of(path)
        assert found["code"] == "TA201"
        assert "os.system('ls')" in found["message"]


def test_a_pickle_in_an_extra_file_or_under_another_name_is_found(tmp_path: Path) -> None:
    more = {"extra/notes.txt": b"\x80\x02" + RUNS_A_SHELL, "hook.pkl": RUNS_A_SHELL}
    found = findings_of(archive_of(tmp_path / "net.pt", net("return x"), more))
    assert [(each["code"], each["entry"]) for each in found] == [
        ("TA201", "m/extra/notes.txt"),
        ("TA201", "m/hook.pkl"),
        ("TA105", "m/hook.pkl"),
    ]


def test_paths_are_foreign_and_functions_beside_them_dangerous(tmp_path: Path) -> None:
    path = tmp_path / "paths.pkl"
    path.write_bytes(pickle.dumps(Path("a"), 4))
    assert codes_of(path) == ["TA202"]
    path.write_bytes(b"\x80\x04\x8c\x07pathlib\x8c\x0fPath.write_text\x93.")
    assert codes_of(path) == ["TA201"]


def test_python_objects_are_named(tmp_path: Path) -> None:
    (found,) = findings_of(RECORDED / "whole.pth")
    assert found["code"] == "TA202"
    assert "names torch.nn.modules.linear.Linear" in found["message"]


def test_bytes_behind_a_pickle_are_found(tmp_path: Path) -> None:
    path = tmp_path / "two.pkl"
    path.write_bytes(pickle.dumps(1) + RUNS_A_SHELL)
    assert codes_of(path) == ["TA204"]


def test_a_broken_pickle_is_found_with_what_came_before(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "net.pt", net("return x"), {"data.pkl": RUNS_A_SHELL[:-1]})
    assert codes_of(path) == ["TA201", "TA203"]


def test_a_tensor_that_reaches_beyond_its_storage_is_found(tmp_path: Path) -> None:
    content = (RECORDED / "checkpoint.pth").read_bytes()
    sizes = content.replace(b"K\x02K\x02\x86", b"K\x02K\x09\x86", 1)
    assert sizes != content
    path = tmp_path / "long.pth"
    path.write_bytes(sizes)
    assert "TA108" in codes_of(path)  # the checksum tells as well
    with_zero = _without_checksum(sizes, b"data.pkl")
    path.write_bytes(with_zero)
    assert codes_of(path) == ["TA206"]


def _without_checksum(content: bytes, name: bytes) -> bytes:
    """An archive whose writer left out the checksum of one entry."""
    changed = bytearray(content)
    for signature, field, start in ((b"PK\3\4", 14, 30), (b"PK\1\2", 16, 46)):
        position = content.find(signature)
        while position >= 0:
            length = struct.unpack_from(
                "<H", content, position + start - (4 if start == 30 else 18)
            )[0]
            if content[position + start : position + start + length].endswith(name):
                changed[position + field : position + field + 4] = bytes(4)
            position = content.find(signature, position + 4)
    return bytes(changed)


def test_containers_that_mislead_are_found(tmp_path: Path) -> None:
    path = tmp_path / "net.pt"
    path.write_bytes(overlapping(4))
    status, out, _ = audited(str(path))
    assert status == FOUND
    assert "TA101 error: the entry 'a/0000' overlaps the next one" in out
    path.write_bytes(zip_of({"m/data.pkl": b"\x80\x02}.", "m/../../evil": b""}))
    assert codes_of(path) == ["TA101"]


def test_a_bomb_is_found(tmp_path: Path) -> None:
    path = tmp_path / "net.pt"
    path.write_bytes(zip_of({"m/data.pkl": bytes(80 << 20)}, compress=True))
    assert "TA104" in codes_of(path)


def test_bytes_that_belong_to_no_entry_are_found(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "net.pt", net("return x"))
    content = path.read_bytes()
    end = content.rindex(b"PK\5\6")
    directory = struct.unpack_from("<I", content, end + 16)[0]
    moved = struct.pack("<I", directory + 5)
    hidden = (
        content[:directory] + b"12345" + content[directory : end + 16] + moved + content[end + 20 :]
    )
    path.write_bytes(hidden)
    (found,) = findings_of(path)
    assert (found["code"], found["message"]) == ("TA102", "5 bytes behind m/code/__torch__/m.py")
    path.write_bytes(content[:-2] + struct.pack("<H", 4) + b"note")
    (found,) = findings_of(path)
    assert found["message"] == "a comment of 4 bytes ends the file"


def test_files_that_are_no_model_are_not_called_clean(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(b"\x00\x01 no model at all \xff\xfe")
    status, out, err = audited(str(path))
    assert status == UNREAD
    assert "nothing found" not in out
    assert "not examined: only archives, state_dicts and pickles of PyTorch can be" in err
    path.write_bytes((RECORDED / "attributes.pt").read_bytes()[:3000])
    assert audited(str(path))[0] == UNREAD
    assert audited(str(tmp_path / "missing.pt"))[0] == UNREAD


def test_a_policy_allows_and_denies(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "net.pt", net("return ops.mylib.run(torch.relu(x))"))
    policy = tmp_path / "policy.toml"
    policy.write_text('[operators]\nallow = ["aten::*", "mylib::*"]\ndeny = ["aten::relu"]\n')
    (found,) = findings_of(path, "--policy", str(policy))
    assert (found["code"], found["message"]) == ("TA302", "aten::relu is denied")
    policy.write_text('[findings]\nignore = ["TA303"]\n')
    assert codes_of(path, "--policy", str(policy)) == []
    policy.write_text("[files]\nmax_bytes = 10\nmax_entries = 2\nmax_code_bytes = 3\n")
    assert codes_of(path, "--policy", str(policy)) == ["TA107", "TA107", "TA107"]
    policy.write_text('[code]\nsetstate = ["__torch__.tests.*"]\n')
    assert codes_of(RECORDED / "state.pt", "--policy", str(policy)) == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[operator]\n", "there is no section [operator]; known: operators, pickles, code"),
        ("[operators]\nalow = []\n", "operators.alow is unknown; known: allow, deny, review"),
        ("[files]\nmax_bytes = true\n", "files.max_bytes is no number"),
        ('[pickles]\nallow = "os.*"\n', "pickles.allow is no list of texts"),
        ('[findings]\nignore = ["TA999"]\n', "there is no code TA999"),
        ("[files\n", "this is no TOML"),
    ],
)
def test_a_mistake_in_a_policy_is_told(tmp_path: Path, text: str, complaint: str) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text(text)
    status, out, err = audited(str(RECORDED / "frozen.pt"), "--policy", str(policy))
    assert (status, out) == (UNREAD, "")
    assert complaint in err


def test_the_printed_policy_is_one_that_changes_nothing(tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text(audited("--print-policy")[1])
    assert audited(str(RECORDED / "state.pt"), "--policy", str(policy)) == audited(
        str(RECORDED / "state.pt")
    )


def test_sarif_has_the_rules_and_places_of_the_findings(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "net.pt", net('torch.save(x, "f")\nreturn x'))
    status, out, _ = audited(str(path), "--format", "sarif")
    (run,) = json.loads(out)["runs"]
    (result,) = run["results"]
    assert status == FOUND
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "TA302"
    assert result["level"] == "error"
    (location,) = result["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == path.as_uri()
    (logical,) = location["logicalLocations"]
    assert logical["fullyQualifiedName"] == "code/__torch__/m.py:6"


def test_every_code_is_explained() -> None:
    listed = audited("--explain", "TA")[1].splitlines()
    assert len(listed) >= 20
    for line in listed:
        code = line[:5]
        assert audited("--explain", code)[1].startswith(f"{code} ")


def test_names_of_a_file_cannot_send_escapes_to_a_terminal(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "net.pt", net("return x"), {"evil\x1b[2J.bin": b"x"})
    _, out, _ = audited(str(path))
    assert "\x1b" not in out
    assert "evil\\x1b[2J.bin" in out


def test_the_policy_in_the_documentation_is_one(tmp_path: Path) -> None:
    page = Path(__file__).parent.parent.parent / "docs" / "command-line.md"
    example = page.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    policy = tmp_path / "policy.toml"
    policy.write_text(example)
    path = archive_of(tmp_path / "net.pt", net("return torch.to(x, 6)"))
    assert codes_of(path, "--policy", str(policy)) == ["TA302"]


@pytest.mark.parametrize("piece", [".a", "(getattr", ". ", "\\'", "a ", "[b"])
def test_what_repeats_without_end_is_scanned_in_proportion(tmp_path: Path, piece: str) -> None:
    """Two million characters would take hours if the scan looked at them again and again."""
    body = f"y = x{piece * (2_000_000 // len(piece))}\nreturn x"
    path = archive_of(tmp_path / "net.pt", net(body))
    assert audited(str(path))[0] in (CLEAN, FOUND)


def test_an_operator_is_found_at_the_end_of_an_endless_chain(tmp_path: Path) -> None:
    body = f"y = x{'.a' * 1000}.set_data(x)\nreturn x"
    assert codes_of(archive_of(tmp_path / "net.pt", net(body))) == ["TA302"]


HARMLESS = {"notes.txt": b"trained on cats", "labels.json": b"[1]", "README": b"see notes"}


def with_entries(
    path: Path, added: dict[str, bytes], compression: int = zipfile.ZIP_STORED
) -> Path:
    """A recorded archive with more entries, written anew."""
    with (
        zipfile.ZipFile(RECORDED / "attributes.pt") as source,
        zipfile.ZipFile(path, "w", compression) as target,
    ):
        folder = source.namelist()[0].partition("/")[0]
        for name in source.namelist():
            target.writestr(name, source.read(name))
        for name, content in added.items():
            target.writestr(f"{folder}/{name}", content)
    return path


def test_harmless_entries_and_compressed_ones_are_one_note_each(tmp_path: Path) -> None:
    path = with_entries(tmp_path / "m.pt", HARMLESS, zipfile.ZIP_DEFLATED)
    assert sorted(codes_of(path)) == ["TA103", "TA110"]
    status, out, _ = audited(str(path))
    assert status == CLEAN
    assert "3 entries that PyTorch does not write, and that are no programs: " in out


@pytest.mark.parametrize(
    "content",
    [b"#!/bin/sh\n", b"MZ\x90\x00", b"\x7fELF", b"\x80\x02N.", b"cposix\nsystem\n.", b"(lp0\n."],
)
def test_a_program_under_a_harmless_name_is_foreign(tmp_path: Path, content: bytes) -> None:
    path = with_entries(tmp_path / "m.pt", {"notes.txt": content})
    assert "TA105" in codes_of(path)
    assert audited(str(path))[0] == FOUND


PROGRAMS = sorted((Path(__file__).parents[1] / "exir" / "programs_of_pytorch").glob("*.pt2"))


def changed_program(path: Path, old: bytes, new: bytes) -> Path:
    """`Branches` with other words in its graphs."""
    (source,) = [each for each in PROGRAMS if each.stem == "Branches"]
    with zipfile.ZipFile(source) as archive, zipfile.ZipFile(path, "w") as made:
        for name in archive.namelist():
            made.writestr(name, archive.read(name).replace(old, new))
    return path


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_exported_programs_of_pytorch_call_what_is_allowed(path: Path) -> None:
    assert not {"TA109", "TA303", "TA306"}.intersection(codes_of(path))


@pytest.mark.parametrize(
    ("new", "code", "message"),
    [
        (b"torch.ops.mine.launch.default", "TA303", "mine::launch is not among the operators"),
        (b"torch.ops.aten.from_file.default", "TA302", "aten::from_file is denied"),
        (b"os.system", "TA303", "os.system is no function of PyTorch's programs"),
    ],
)
def test_operators_of_exported_programs_are_judged(
    tmp_path: Path, new: bytes, code: str, message: str
) -> None:
    path = changed_program(tmp_path / "made.pt2", b"torch.ops.aten.mul.Tensor", new)
    found = [each for each in findings_of(path) if each["code"] == code]
    assert [message in each["message"] for each in found] == [True]


def test_a_program_that_cannot_be_read_is_told_of(tmp_path: Path) -> None:
    path = changed_program(tmp_path / "made.pt2", b'"schema_version"', b'"another"')
    assert "TA306" in codes_of(path)
