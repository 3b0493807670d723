"""A session in a page, whose worker is no process."""

from __future__ import annotations

from grader.book.page import page_judge
from grader.book.page.page_judge import BoundedOutput, PageSession


def test_what_code_prints_in_a_page_is_kept_as_far_as_there_is_room(monkeypatch):
    monkeypatch.setattr(page_judge, "MOST_OUTPUT", 5)
    output = bytearray()
    printed = BoundedOutput(output)
    assert printed.write("abé") == 3 and printed.write("xyz") == 3
    assert output == "abé".encode() + b"x" and len(output) == 5


def test_a_page_has_a_worker_that_is_no_process():
    assert page_judge.nobody().pid == 0
    session = PageSession({3: "hung"}, print, lambda: None, {"probes": []}, {})
    assert session.before == {3: "hung"} and session.close().observations == {}
