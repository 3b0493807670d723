"""The recording in the README: it shows what the grader prints today, and moves without a script.

`GRADER_UPDATE_GOLDEN=1 pytest tests/grader/test_recording.py` records it again.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from grader import root

from .test_golden import normal_text

SCRIPT = Path(root.path("benchmarks", "recording.py"))
PICTURE = Path(root.path("docs", "recording.svg"))
MOST_BYTES = 40_000
SVG = "{http://www.w3.org/2000/svg}"
LEVEL = re.compile(r"; isolation: \w+.*$", re.MULTILINE)  # of the machine


@pytest.fixture(scope="module")
def recording() -> ModuleType:
    pytest.importorskip("pty")
    spec = importlib.util.spec_from_file_location("recording", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["recording"] = module
    spec.loader.exec_module(module)
    return module


def drawn() -> list[tuple[str, str]]:
    """Return the rows of the picture below its title: the text, and the colours in it."""
    rows = [row for row in ElementTree.parse(PICTURE).iter(f"{SVG}text") if "x" in row.attrib]
    return [
        ("".join(row.itertext()), " ".join(part.get("class", "") for part in row))
        for row in rows
        if row.get("text-anchor") is None
    ]


def told(steps) -> list[tuple[str, str]]:
    """Return the rows of a session that are not empty, in the same way."""
    rows = []
    for step in steps:
        rows.append((f"$ {step.command}", "prompt"))
        rows += [
            ("".join(text for _, text in line), " ".join(name for name, _ in line if name))
            for line in step.lines
            if line
        ]
    return rows


def same_everywhere(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(normal_text(LEVEL.sub("", text)), colours) for text, colours in rows]


@pytest.mark.skipif(sys.platform != "linux", reason="the session uses options of GNU sed")
def test_it_shows_what_the_commands_print_today(recording, tmp_path):
    steps = recording.record(tmp_path / "work")
    if os.environ.get("GRADER_UPDATE_GOLDEN"):
        PICTURE.write_text(recording.Film(steps).svg(), encoding="utf-8")
    assert same_everywhere(drawn()) == same_everywhere(told(steps))
    report = "\n".join(text for text, _ in drawn())
    assert "✗ failed" in report and "✓ passed" in report
    assert "The gradient of b lacks its minus" in report


def test_it_moves_by_styles_alone_and_stands_still_for_those_who_want_that():
    text = PICTURE.read_text("utf-8")
    assert len(text.encode()) <= MOST_BYTES
    tree = ElementTree.fromstring(text)
    names = {element.tag.removeprefix(SVG) for element in tree.iter()}
    assert not names & {"script", "image", "foreignObject", "a", "use"}
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert tree.get("role") == "img" and tree[0].tag == f"{SVG}title" and tree[0].text
    assert tree[1].tag == f"{SVG}desc" and "lacks a minus" in tree[1].text
    before, _, moving = text.partition("@media(prefers-reduced-motion:no-preference){")
    assert "animation" not in before and "@keyframes" not in before
    assert "prefers-color-scheme:dark" in before and moving.count("infinite") >= 8


def test_progress_that_a_later_text_replaces_and_links_are_not_drawn(recording):
    link = "\x1b]8;;file:///book\x1b\\Div\x1b]8;;\x1b\\"
    printed = f"\r\x1b[Kone\r\x1b[Ktwo\r\x1b[K\x1b[31m{link} failed\x1b[0m  (0)\r\n\r\nend\r\n"
    assert recording.on_screen(printed) == [
        [("red", "Div failed"), ("", "  (0)")],
        [],
        [("", "end")],
    ]


def test_the_readme_shows_it_and_says_what_it_shows():
    (alt,) = re.findall(
        r"!\[([^\]]+)\]\(docs/recording\.svg\)", Path(root.path("README.md")).read_text("utf-8")
    )
    assert len(alt.split()) >= 12
