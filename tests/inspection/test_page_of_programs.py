"""The page of an exported program: what it takes, promises and calls, its graphs, and where they come from."""

from __future__ import annotations

from html import unescape

import pytest

from tests.exir.recorded import recorded_path
from tsc.runtime.inspection.html_page import html_page
from tsc.runtime.inspection.inspection import inspect_file


def page_of(name: str) -> str:
    return html_page(inspect_file(str(recorded_path(name))))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Perceptron", '<h2>Range constraints</h2>\n<dl class="facts">\n<dt>s77</dt><dd>VR[1, 64]'),
        ("Perceptron", "layers.0.weight"),
        ("Counter", "b_hidden: BUFFER target='hidden' persistent=False"),
        ("RelatedSizes", "((-1) + L['x'].size()[0]) == L['y'].size()[0]"),
        ("Branches", "<dt>higher_order.cond</dt><dd>1</dd>"),
        ("Branches", "class true_graph_0(torch.nn.Module):"),
        (
            "Counter",
            "# File: tests/exir/exported_modules.py:127 in forward, code: self.count.add_(",
        ),
    ],
)
def test_all_of_it_is_told(name: str, told: str) -> None:
    assert told in unescape(page_of(name))


@pytest.mark.parametrize("name", ["Perceptron", "Add", "no_results"])
def test_links_lead_to_sections(name: str) -> None:
    page = page_of(name)
    for part in page.split('<a href="#')[1:]:
        assert f'<section id="{part.partition(chr(34))[0]}">' in page
