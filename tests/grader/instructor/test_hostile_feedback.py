"""A learner's cell as markup that a sanitiser and a browser read differently, on feedback pages.

What a page has beside an empty cell's are elements for text alone: nothing that runs, that loads a
page or a style, that takes a name of the page's own, or that leads out without a word.
"""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from typing import Any

import pytest

pytest.importorskip("nbgrader")

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell  # noqa: E402
from nbformat.validator import NotebookValidationError  # noqa: E402

from .test_feedback import cleaned, ours  # noqa: E402, F401

RUN = "javascript:alert(1)"
CELLS = {
    "a comment in a style in mathematics": "<math><mtext><table><mglyph><style><!--</style><img "
    'title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    "a style in a picture": '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    "no script": '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    "a frame of one's own": '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    "a template": "<template><script>alert(1)</script></template>",
    "a text area that ends": "<textarea></textarea><img src=x onerror=alert(1)></textarea>",
    "a title that ends": "<title></title><script>alert(1)</script>",
    "a style": "<style>#toc{display:none} body{background:url(https://x/)}</style>",
    "a sheet": '<link rel="stylesheet" href="https://x/a.css">',
    "a cell's style": '<table><tr><td style="text-align:left;position:fixed;top:0">x</td></table>',
    "a name of the page's": '<a id="toc" name="comments">x</a><form id="score"><input name="a">',
    "an image with a picture's script": '<img src="data:image/svg+xml;base64,PHN2Zz4=" alt="x">',
    "an event of an allowed element": '<b onclick="alert(1)" onfocus=alert(1) tabindex=0>x</b>',
    "an event without a space": '<img/src="https://x/p.png"/onerror=alert(1)>',
    "a tag in an attribute": '<b title="<script>alert(1)</script>">x</b>',
    "mathematics that leads": f"$\\href{{{RUN}}}{{x}}$ and $$\\require{{html}}\\class{{a}}{{b}}$$",
    "mathematics with a tag": "$<img src=x onerror=alert(1)>$ and $$</p><script>1</script>$$",
    "a template of ours": "{{ 7*191 }} {% include '/etc/passwd' %} {{ config.items() }}",
    "a code that ends": "```html\n</pre></div><script>alert(1)</script>\n```",
    "a language that ends": f'```"><script>alert(1)</script>\n{RUN}\n```',
    "a definition list": f"[x]: {RUN}\n\n![x][x] <x:y> [x]",
    "a null": "<scr\x00ipt>alert(1)</scr\x00ipt> <a href='java\x00script:1'>x</a>",
    "another address": "[a](//x.org/p) <a href='\\\\x.org'>x</a> [b](http:javascript:1)",
    "a file of the machine": "[a](file:///etc/passwd) ![b](file:///etc/passwd)",
}
KINDS = {
    "text": new_markdown_cell,
    "raw": lambda text: new_raw_cell(text, metadata={"raw_mimetype": "text/html"}),
    "code": new_code_cell,
}
HARMFUL = {"script", "iframe", "style", "link", "base", "meta", "form", "input", "object", "embed",
           "template", "noscript", "title", "textarea", "svg", "math", "frame"}  # fmt: skip


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.elements[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]


def page(cell: Any, exporter: Any, id: str = "a") -> tuple[Page, str]:
    cell["id"] = id
    cell.metadata["nbgrader"] = {"grade": False, "solution": False, "locked": False}
    text = cleaned(new_notebook(cells=[cell]), exporter)
    return Page(text), text


@pytest.mark.sampled(quick=8)
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("source", CELLS.values(), ids=CELLS)
def test_a_cell_adds_nothing_to_a_page_but_what_is_read(source, kind, ours):  # noqa: F811
    plain, _ = page(kind("a b"), ours)
    found, text = page(kind(source), ours)
    more = found.elements - plain.elements
    assert not HARMFUL & more.keys(), more
    for _, name, value in set(found.attributes) - set(plain.attributes):
        assert not name.startswith("on") and name not in ("id", "name", "srcdoc", "target"), name
        assert name not in ("href", "src", "cite") or re.match(r"https?:|data:image/png", value)
        assert name != "style" or re.fullmatch(r"text-align: ?\w+;?", value), value
    assert "1337" not in text and "root:" not in text
    loads = [value for tag, name, value in found.attributes if (tag, name) == ("script", "src")]
    assert all(",Safe" in value for value in loads if "mathjax" in value.lower()), loads


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("id", ['"><script>alert(1)</script>', "a' onclick='alert(1)"])
def test_a_cells_own_name_is_none_that_ends_an_attribute(id, kind, ours):  # noqa: F811
    with pytest.raises(NotebookValidationError):
        page(kind("a b"), ours, id)
    assert page(kind("a b"), ours, "a-b_1")


def test_the_twin_is_shown_as_it_was_meant(ours):  # noqa: F811
    found, text = page(new_markdown_cell("**bold** $x^2$ [a](https://x.org) `</pre>`"), ours)
    assert found.elements["strong"] and "$x^2$" in text and 'href="https://x.org"' in text
