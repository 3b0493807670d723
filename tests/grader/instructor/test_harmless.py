"""What a learner wrote as HTML runs nowhere: a real browser looks at the page that staff read."""

from __future__ import annotations

import html.parser
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nbgrader", reason="these need the extra `instructor`")

import nbgrader.server_extensions.formgrader as formgrader  # noqa: E402
from nbconvert.exporters import HTMLExporter  # noqa: E402
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell  # noqa: E402

from grader.classroom.nbgrader.harmless import HarmlessHtml, text  # noqa: E402

from .browser import CHROMIUM, FLAGS  # noqa: E402

HIT = "document.documentElement.id='hit-WHERE'"
HOME = os.path.dirname(formgrader.__file__)
TEMPLATES = os.path.join(HOME, "templates")
# Where nbgrader keeps it has changed with its versions.
STYLES = str(next(Path(HOME, "static").rglob("bootstrap.min.css")).parent)


def hit(where: str) -> str:
    return HIT.replace("WHERE", where)


def hostile() -> Any:
    """A notebook with a script at every place that reaches a page."""
    breaking = f'"><script>{hit("attribute")}</script>'
    link = f'<a href="javascript:{hit("link")}">x</a> [y](javascript:alert(1)) <javascript:1>'
    hidden = "[a](java&#115;cript:1) [b](<javascript:1>) [c][d] [e]( javascript\\:1)"
    hidden += "\n\n[d]: JavaScript:1"
    cells = [
        new_markdown_cell(f"<script>{hit('markdown')}</script>"),
        new_markdown_cell(f"text <img src=x onerror=\"{hit('image')}\"> text"),
        new_markdown_cell(f"<div>\n\n<svg/onload=\"{hit('svg')}\">"),
        new_markdown_cell(link),
        new_markdown_cell(hidden),
        new_markdown_cell(
            "![a](attachment:a)", attachments={"a": {f"image/png{breaking}": breaking}}
        ),
        new_raw_cell(f"<script>{hit('raw')}</script>"),
        new_raw_cell(f"<script>{hit('raw')}</script>", metadata={"raw_mimetype": "text/html"}),
        new_code_cell(f"'<script>{hit('code')}</script>'", metadata={"tags": [breaking]}),
        new_markdown_cell("**bold** and $a<b$ and `x < y`", metadata={"tags": [breaking]}),
    ]
    for cell in cells:
        cell.metadata["nbgrader"] = {"grade": False, "solution": False, "locked": False}
    return new_notebook(cells=cells, metadata={"language_info": {"name": f"python{breaking}"}})


def page(notebook: Any) -> str:
    """The feedback page that nbgrader makes of it."""
    exporter = HTMLExporter(
        template_name="feedback", extra_template_basedirs=[TEMPLATES], extra_template_paths=[STYLES]
    )
    about = {
        "student": "s", "assignment": "a", "notebook": "n", "score": 0, "max_score": 1,
        "late_penalty": 0,
    }  # fmt: skip
    body, _ = exporter.from_notebook_node(notebook, resources={"nbgrader": about})
    return str(body)


def looked_at(html: str, folder: Path) -> str:
    """The page as a browser has it after its scripts ran."""
    (folder / "page.html").write_text(html, encoding="utf-8")
    done = subprocess.run(
        [str(CHROMIUM), "--headless", *FLAGS, "--virtual-time-budget=5000", "--dump-dom",
         f"--user-data-dir={folder / 'profile'}", (folder / "page.html").as_uri()],
        capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    assert "</html>" in done.stdout, done.stderr[-500:]
    return done.stdout


def links(page: str) -> list[str]:
    """Where the links of a page lead; what is text is none."""
    found: list[str] = []

    class Links(html.parser.HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.extend(value or "" for name, value in attrs if name == "href")

    Links().feed(page)
    return found


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_no_script_of_a_learner_runs_in_the_page_that_staff_read(tmp_path: Path) -> None:
    found = looked_at(page(hostile()), tmp_path)
    assert "hit-" in found[: found.index("<head")]  # so it would have run
    found = looked_at(page(HarmlessHtml().preprocess(hostile(), {})[0]), tmp_path)
    begins = found[: found.index("<head")]
    assert "hit-" not in begins, begins
    assert not [link for link in links(found) if "script:" in link.lower()]
    assert "<strong>bold</strong>" in found and "onerror" in found  # as text, for all to read


def test_what_is_no_html_is_left_as_it_is() -> None:
    links = ("[a](https://x.org/a:b) [b](c.md) [c]: /d:e", "x[i](j) and f](t", "[y](z) `x <= y`")
    for source in (*links, "a < b and b > a", "$a<1$", "**x** <3", "1. one\n2. two\n"):
        assert text(source) == source
    assert text("$a<b$").replace("\u200b", "") == "$a<b$"


def test_what_is_locked_and_what_nbgrader_put_there_stays() -> None:
    notebook = hostile()
    ours = new_markdown_cell("<b>ours</b>", metadata={"nbgrader": {"locked": True}})
    notebook.cells.append(ours)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    made, _ = HarmlessHtml().preprocess(notebook, {})
    assert made.cells[-1].source == "<b>ours</b>"
    assert made.cells[0].metadata["nbgrader"]["locked"] is False
    assert made.metadata["kernelspec"]["name"] == "python3"
