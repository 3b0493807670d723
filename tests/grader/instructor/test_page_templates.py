"""Pages from templates: what a submission says is text, and a gap in a template is an error."""

from __future__ import annotations

import builtins

import pytest
from jinja2 import UndefinedError  # noqa: E402

from grader.classroom import files  # noqa: E402
from grader.errors import WrongUse  # noqa: E402

pytest.importorskip("jinja2")


@pytest.fixture
def template(tmp_path, monkeypatch):
    def fill(text: str, **values) -> str:
        (tmp_path / "t.html").write_text(text)
        monkeypatch.setattr(files, "TEMPLATES", str(tmp_path))
        return files.fill_template("t.html", **values).decode()

    return fill


def test_values_are_escaped_and_code_is_marked(template):
    evil = "`<b>` & <script>"
    assert template("{{ x }}", x=evil) == "`&lt;b&gt;` &amp; &lt;script&gt;"
    assert template("{{ x | prose }}", x=evil) == ("<code>&lt;b&gt;</code> &amp; &lt;script&gt;")


def test_numbers_are_written_as_everywhere(template):
    text = "{{ a | points }} {{ b | percent }} {{ c | numbers }} {{ words.passed[1] }}"
    assert template(text, a=1.50, b=0.5, c=[1 / 3]) == "1.5 50 % [0.333333] passed"
    assert template("<{{ none | points }}>", none=None) == "<>"


def test_a_name_that_nobody_gave_is_an_error(template):
    with pytest.raises(UndefinedError):
        template("{{ nobody }}")


def test_names_that_are_no_text_can_be_written(template):
    assert template("{{ x }}", x="a\udcff") == "a?"


def test_without_its_library_it_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name == "jinja2":
            raise ImportError
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(WrongUse, match=r"HTML needs Jinja2: pip install '.*\[instructor\]'"):
        files.fill_template("class.html")
