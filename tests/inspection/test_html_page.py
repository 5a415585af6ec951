"""`tsc inspect --html`: one page that is well formed, fetches nothing, and shows code beside IR."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from tsc.cli import main

from .made_archives import RECORDED, archive_of, net

_EMPTY_ELEMENTS = {"meta", "input"}
_FETCHING = {"src", "href", "srcset", "data", "action", "background", "poster"}


class _Page(HTMLParser):
    """The elements of a page, with a check that each is closed in its turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.scripts: list[str] = []
        self.content: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes += attrs
        if tag not in _EMPTY_ELEMENTS:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        (self.scripts if self.open[-1:] == ["script"] else self.content).append(data)

    @property
    def text(self) -> str:
        return "".join(self.content)


def page_of(path: Path, out: Path) -> str:
    result = CliRunner().invoke(main, ["inspect", str(path), "--html", str(out)], prog_name="tsc")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    return out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name", ["attributes.pt", "frozen.pt", "state.pt", "checkpoint.pth", "whole.pth"]
)
def test_the_page_is_well_formed_and_fetches_nothing(tmp_path: Path, name: str) -> None:
    page = _Page(page_of(RECORDED / name, tmp_path / "page.html"))
    for attribute, value in page.attributes:
        assert not attribute.startswith("on")
        assert attribute not in _FETCHING or str(value).startswith("#")


def test_the_only_script_is_the_one_that_the_policy_names(tmp_path: Path) -> None:
    text = page_of(RECORDED / "frozen.pt", tmp_path / "page.html")
    (script,) = _Page(text).scripts
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in text
    assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|eval\(", script)


def test_style_fetches_nothing_and_knows_dark_systems(tmp_path: Path) -> None:
    page = page_of(RECORDED / "frozen.pt", tmp_path / "page.html")
    assert "prefers-color-scheme: dark" in page
    assert not re.search(r"url\(|@import|https?:|fetch\(|XMLHttp", page)
    assert "default-src 'none'" in page


def test_modules_code_and_ir_are_on_the_page(tmp_path: Path) -> None:
    text = _Page(page_of(RECORDED / "attributes.pt", tmp_path / "page.html")).text
    assert "float32[3, 2]" in text
    assert "forward(self, input: Tensor) -> Tensor" in text
    assert "  return torch.linear(input, weight, bias)" in text
    assert "aten::linear(%input.1, %weight.1, %bias.1)" in text


def test_every_link_leads_to_a_place_on_the_page(tmp_path: Path) -> None:
    page = _Page(page_of(RECORDED / "attributes.pt", tmp_path / "page.html"))
    places = {value for name, value in page.attributes if name == "id"}
    links = {str(value)[1:] for name, value in page.attributes if name == "href"}
    assert links
    assert links <= places


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script><img src=x onerror='alert(2)'>\"&"
    key = evil.encode()
    pickled = (
        b"\x80\x02c__torch__.m\n" + key + b"\nq\x00)\x81}X" + len(key).to_bytes(4, "little") + key
    ) + b"X\x03\x00\x00\x00<b>sb."
    more = {
        "data.pkl": pickled,
        f"extra/{evil.replace('/', '')}": b"x",
        "code/__torch__/<i>.py": b"<u>",
    }
    path = archive_of(tmp_path / "net.pt", net(f"y = {evil!r}\nreturn x"), more)
    named = path.rename(tmp_path / "<s>&.pt")
    page = _Page(page_of(named, tmp_path / "page.html"))
    assert not page.names & {"img", "u", "s"}
    assert len(page.scripts) == 1
    assert page.text.count("alert(1)") >= 3
    assert not any(name.startswith("on") for name, _ in page.attributes)


def test_code_that_does_not_compile_is_shown_with_the_reason(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "net.pt", net("return torch.no_such_operator(x)"))
    text = _Page(page_of(path, tmp_path / "page.html")).text
    assert "return torch.no_such_operator(x)" in text
    assert "not compiled: " in text


def test_nothing_of_the_file_is_run_for_its_page(tmp_path: Path) -> None:
    body = "return torch.zeros([1099511627776])"
    more = {"data.pkl": b"\x80\x02c__torch__.m\nNet\nq\x00)\x81K\x01b."}
    code = net(body)
    code["__torch__/m.py"] += (
        "  def __setstate__(self: __torch__.m.Net,\n    state: int) -> NoneType:\n"
        '    ops.prim.RaiseException("run")\n    return None\n'
    )
    text = _Page(page_of(archive_of(tmp_path / "net.pt", code, more), tmp_path / "page.html")).text
    assert 'ops.prim.RaiseException("run")' in text
    assert "aten::zeros(" in text


def test_a_page_of_standard_input_goes_to_standard_output() -> None:
    content = (RECORDED / "frozen.pt").read_bytes()
    arguments = ["inspect", "-", "--html", "-"]
    result = CliRunner().invoke(main, arguments, input=content, prog_name="tsc")
    assert result.exit_code == 0
    assert "aten::linear(" in _Page(result.stdout).text


def test_a_tied_tensor_is_said_to_be_one_and_counted_once(tmp_path: Path) -> None:
    page = page_of(RECORDED / "objects.pth", tmp_path / "page.html")
    text = _Page(page).text
    assert "the same as embedding.weight" in text
    assert re.search(r"\d+ tensors under \d+ names", text)
