"""The page of `tsc inspect --html` in a real browser: folding, filtering, code beside IR, keys, and hostile names.

`make browser` runs these tests, and demands a Chromium on the PATH. Elsewhere they are skipped: a browser keeps a
time of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner

from tsc.cli import main

from .browser import Browser, browser, executable
from .made_archives import RECORDED, archive_of, net

MOBILENET = RECORDED.parent.parent / "oracle" / "archives" / "recorded" / "mobilenet.pt"
_IS_DEMANDED = bool(os.environ.get("TSC_BROWSER"))
_VISIBLE = "[...document.querySelectorAll({!r})].filter((each) => each.checkVisibility()).length"

pytestmark = pytest.mark.skipif(not _IS_DEMANDED, reason="needs a browser: make browser")


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = executable()
    assert program is not None, "there is no Chromium on the PATH"
    with ExitStack() as stack:
        yield stack.enter_context(browser(program, tmp_path_factory.mktemp("profile")))


def page_of(path: Path, folder: Path) -> Path:
    out = folder / "page.html"
    result = CliRunner().invoke(main, ["inspect", str(path), "--html", str(out)], prog_name="tsc")
    assert (result.exit_code, result.stderr) == (0, "")
    return out


def hostile_archive(path: Path) -> Path:
    """An archive whose every name and text would like to be a script."""

    def text(value: str) -> bytes:
        content = value.encode()
        return b"X" + len(content).to_bytes(4, "little") + content

    evil = "<script>window.evil = 1</script>"
    events = '"><img src=x onerror="window.evil = 2"><svg onload="window.evil = 3">'
    pickled = b"".join(
        [
            b"\x80\x02c__torch__.m\nNet\nq\x00)\x81}(",
            text(evil) + text(events),
            text(f"</pre></details></style></title>{evil}") + text("javascript:window.evil = 4"),
            text(events)
            + b"c__torch__."
            + evil.encode()
            + b"\n"
            + events.encode()
            + b"\n)\x81}bub.",
        ]
    )
    code = net(f"print({evil + events!r})\nreturn x", f'x: Tensor,\n    y: str="</code>{evil}"')
    more = {
        "data.pkl": pickled,
        "extra/<script>window.evil = 5<script>": b"x",
        "code/__torch__/<script>window.evil = 6<!--.py": b"def f(x: Tensor) -> Tensor:\n  return x\n",
    }
    return archive_of(path, code, more)


def shown(tab: Browser, selector: str) -> int:
    """How many of the elements can be seen."""
    return tab.evaluate(_VISIBLE.format(selector))


def settled(tab: Browser, condition: str) -> None:
    """Wait until the page has done what it does a little later."""
    tab.evaluate(
        "new Promise((done, fail) => { const end = Date.now() + 20000; const look = () =>"
        f" {condition} ? done() : Date.now() > end ? fail({condition!r}) : setTimeout(look, 10);"
        " look(); })"
    )


def assert_quiet(tab: Browser, page: Path) -> None:
    """Nothing went wrong, nothing was fetched, and no dialog was opened."""
    assert tab.told("Runtime.exceptionThrown") == []
    assert tab.told("Runtime.consoleAPICalled") == []
    assert tab.told("Log.entryAdded") == []
    assert tab.told("Page.javascriptDialogOpening") == []
    sent = tab.told("Network.requestWillBeSent")  # the browser's own first page sends some, too
    requests = {each["request"]["url"] for each in sent if each["documentURL"] == page.as_uri()}
    assert requests <= {page.as_uri()}


def test_modules_fold_and_unfold_by_mouse_and_by_keys(tab: Browser, tmp_path: Path) -> None:
    page = page_of(MOBILENET, tmp_path)
    tab.open(page)
    everything = tab.evaluate("document.querySelectorAll('.module').length")
    assert everything > 5
    tab.click("#m0 > summary")
    assert shown(tab, ".module") == 1
    tab.press("ArrowRight")
    assert shown(tab, ".module") > 1
    tab.press("ArrowDown")
    assert tab.evaluate("document.activeElement.parentElement.id") == "m1"
    tab.press("ArrowLeft")
    tab.press("ArrowLeft")
    assert tab.evaluate("document.activeElement.parentElement.id") == "m0"
    tab.click("#modules button[data-fold=close]")
    assert shown(tab, ".module") == 1
    tab.click("#modules button[data-fold=open]")
    assert shown(tab, ".module") == everything
    assert_quiet(tab, page)


def test_choosing_a_method_shows_its_code_and_ir_side_by_side(tab: Browser, tmp_path: Path) -> None:
    page = page_of(MOBILENET, tmp_path)
    tab.open(page)
    tab.click("#modules button[data-fold=open]")
    link = "#m2 > .own a[href^='#c']"
    place = tab.evaluate(f"document.querySelector({link!r}).hash")
    assert shown(tab, f"{place} pre") == 0
    tab.click(link)
    settled(tab, f"document.querySelectorAll('{place} pre.lined').length === 2")
    assert shown(tab, f"{place} pre") == 2
    code, ir = (
        tab.evaluate(f"document.querySelectorAll('{place} pre')[{i}].innerText") for i in (0, 1)
    )
    assert "def forward(self" in code
    assert ir.startswith("graph(%self")
    boxes = tab.evaluate(
        f"[...document.querySelectorAll('{place} pre')].map((each) => each.getBoundingClientRect().toJSON())"
    )
    assert boxes[0]["top"] == boxes[1]["top"]
    assert boxes[0]["right"] < boxes[1]["left"]
    assert_quiet(tab, page)


def test_a_line_of_code_marks_the_lines_of_ir_that_were_made_of_it(
    tab: Browser, tmp_path: Path
) -> None:
    path = archive_of(
        tmp_path / "net.pt", net("y = torch.relu(x)\nz = torch.add(y, torch.neg(x))\nreturn z")
    )
    tab.open(page_of(path, tmp_path))
    marked = "[...document.querySelectorAll('.chosen')].map((each) => each.innerText.trim())"
    tab.move("#c0 pre > [data-number='7']")
    assert [line.split(" = ")[-1].split("(")[0] for line in tab.evaluate(marked)] == [
        "torch.add", "aten::neg", "aten::add",
    ]  # fmt: skip
    tab.click("#c0 pre > [data-number='6']")
    tab.move("h1")
    assert len(tab.evaluate(marked)) == 2
    assert "aten::relu" in tab.evaluate(marked)[1]
    tab.press("ArrowDown")
    assert "torch.add" in tab.evaluate(marked)[0]
    tab.press("Escape")
    assert tab.evaluate(marked) == []


def test_the_filter_leaves_what_fits_and_what_is_around_it(tab: Browser, tmp_path: Path) -> None:
    page = page_of(MOBILENET, tmp_path)
    tab.open(page)
    before = shown(tab, ".module"), shown(tab, ".method")
    tab.press("/")
    for letter in "aten::conv2d":
        tab.press(letter)
    settled(tab, "document.getElementById('matches').textContent !== ''")
    matches = tab.evaluate("document.getElementById('matches').textContent")
    assert matches.endswith(" 1 operator")
    methods = tab.evaluate(
        "[...document.querySelectorAll('.method:not([hidden])')].map((each) => each.textContent)"
    )
    assert methods
    assert all("aten::conv2d" in each for each in methods)
    tab.press("Escape")
    settled(tab, "document.getElementById('matches').textContent === ''")
    assert (shown(tab, ".module"), shown(tab, ".method")) == before
    tab.evaluate("document.getElementById('filter').value = 'conv2d'")
    tab.evaluate("document.getElementById('filter').dispatchEvent(new Event('input'))")
    settled(tab, "document.getElementById('matches').textContent !== ''")
    hidden = tab.evaluate("document.querySelectorAll('.module[hidden]').length")
    assert hidden > 0
    assert shown(tab, "#m0 > summary") == 1
    assert_quiet(tab, page)


def test_an_operator_leads_to_the_methods_that_use_it(tab: Browser, tmp_path: Path) -> None:
    path = archive_of(tmp_path / "net.pt", net("return torch.relu(torch.neg(x))"))
    tab.open(page_of(path, tmp_path))
    tab.click("#operators code[data-find='aten::neg'] button")
    settled(tab, "document.getElementById('filter').value === 'aten::neg'")
    settled(tab, "document.querySelectorAll('.method:not([hidden])').length === 1")


@pytest.mark.parametrize("script", [True, False])
def test_hostile_names_are_only_shown(tab: Browser, tmp_path: Path, script: bool) -> None:
    page = page_of(hostile_archive(tmp_path / "net.pt"), tmp_path)
    tab.open(page, script=script)
    if script:
        tab.click("#modules button[data-fold=open]")
        tab.evaluate("document.getElementById('filter').value = 'evil'")
        tab.evaluate("document.getElementById('filter').dispatchEvent(new Event('input'))")
        settled(tab, "document.getElementById('matches').textContent !== ''")
        assert tab.evaluate("typeof window.evil") == "undefined"
        assert tab.evaluate("document.scripts.length") == 1
        assert tab.evaluate("document.querySelectorAll('img, svg, iframe, object').length") == 0
        assert tab.evaluate("document.body.innerText.split('window.evil = 1').length") >= 3
    assert_quiet(tab, page)


def test_a_script_that_got_into_the_page_would_not_run(tab: Browser, tmp_path: Path) -> None:
    page = page_of(RECORDED / "frozen.pt", tmp_path)
    broken = page.read_text(encoding="utf-8").replace(
        "<main>", "<main><script>window.evil = 1</script>"
    )
    page.write_text(broken, encoding="utf-8")
    tab.open(page)
    assert tab.evaluate("typeof window.evil") == "undefined"
    assert tab.told("Log.entryAdded")


@pytest.mark.parametrize("width", [1280, 800, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_its_window_in_light_and_in_dark(
    tab: Browser, tmp_path: Path, width: int, scheme: str
) -> None:
    page = page_of(hostile_archive(tmp_path / "net.pt"), tmp_path)
    tab.emulate(prefers_color_scheme=scheme)
    tab.open(page, width=width)
    tab.click("#modules button[data-fold=open]")
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    colors = tab.evaluate(
        "(() => { const style = getComputedStyle(document.body); return [style.color, style.backgroundColor]; })()"
    )
    brightness = [sum(map(int, each[4:-1].split(","))) for each in colors]
    assert (brightness[0] < brightness[1]) == (scheme == "light")
    assert abs(brightness[0] - brightness[1]) > 450


@pytest.mark.parametrize("width", [1280, 760, 400])
def test_names_of_modules_and_classes_are_not_broken(
    tab: Browser, tmp_path: Path, width: int
) -> None:
    tab.open(page_of(MOBILENET, tmp_path), width=width)
    tab.click("#modules button[data-fold=open]")
    heights = tab.evaluate(
        "[...document.querySelectorAll('.tree .name b, .tree .name .soft')].map((each) => each.offsetHeight)"
    )
    assert len(heights) > 10
    assert max(heights) < 30


def test_without_script_everything_can_be_read_and_nothing_dead_is_shown(
    tab: Browser, tmp_path: Path
) -> None:
    tab.open(page_of(MOBILENET, tmp_path), script=False)
    assert shown(tab, "button, input") == 0
    tab.click("#m1 > summary")
    assert shown(tab, ".module") > 1
    folded = "document.querySelector('.method:not([open])')"
    place = tab.evaluate(f"{folded}.querySelector('[id]').id")
    tab.click(".method:not([open]) > summary")
    assert shown(tab, f"#{place} pre") == 2


def test_three_hundred_modules_are_all_there(tab: Browser, tmp_path: Path) -> None:
    names = [f"layer{number}" for number in range(300)]
    attributes = "".join(f"  {name} : __torch__.m.Layer\n" for name in names)
    layer = "class Layer(Module):\n  __parameters__ = []\n  __buffers__ = []\n"
    code = net("return x")["__torch__/m.py"]
    head, _, rest = code.partition("  def forward")
    objects = b"".join(
        b"X" + len(each).to_bytes(4, "little") + each.encode() + b"c__torch__.m\nLayer\n)\x81}b"
        for each in names
    )
    pickled = b"\x80\x02c__torch__.m\nNet\n)\x81}(" + objects + b"ub."
    files = {"__torch__/m.py": f"{layer}{head}{attributes}  def forward{rest}"}
    page = page_of(archive_of(tmp_path / "net.pt", files, {"data.pkl": pickled}), tmp_path)
    tab.open(page)
    assert shown(tab, ".module") == 301
    tab.press("/")
    for letter in "layer299":
        tab.press(letter)
    settled(tab, "document.getElementById('matches').textContent.startsWith('1 module,')")
    assert shown(tab, ".module") == 2
    assert_quiet(tab, page)


def test_a_page_of_a_checkpoint_filters_its_tensors(tab: Browser, tmp_path: Path) -> None:
    page = page_of(RECORDED / "checkpoint.pth", tmp_path)
    tab.open(page)
    tab.press("/")
    for letter in "running_mean":
        tab.press(letter)
    settled(tab, "document.getElementById('matches').textContent === '1 tensor'")
    assert_quiet(tab, page)
