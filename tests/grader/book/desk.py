"""A page that judges, as a reader uses it: by keys, buttons and the clipboard."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from grader.book.serve import HOST, Quiet

from ..instructor.browser import PATIENCE

IDLE = "!document.documentElement.classList.contains('busy')"
# Each chapter's page keeps its own; the name of what it keeps ends with that of the chapter.
KEPT = """localStorage.getItem(Object.keys(localStorage).find(
    (name) => location.pathname.includes(`/${name.split("-").at(-1)}-here`)))"""


class Desk(NamedTuple):
    """The open page, what it complained of, and where it was served."""

    page: Any
    wrong: list[str]
    address: str

    def write(self, text: str, field: str = "code") -> None:
        """Paste a text in the place of what is there."""
        self.page.bring_to_front()
        self.page.evaluate("text => navigator.clipboard.writeText(text)", text)
        self.page.focus(f"#{field}")
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.press("ControlOrMeta+V")

    def type(self, *keys: str) -> None:
        """Press keys; what is no key of its own is typed letter by letter."""
        for key in keys:
            named = len(key) > 1 and (key[0].isupper() or "+" in key)
            (self.page.keyboard.press if named else self.page.keyboard.type)(key)

    @property
    def kept(self) -> dict[str, Any]:
        """The work that the browser keeps."""
        return json.loads(self.page.evaluate(KEPT))

    def check(self, id: str | None = None) -> str:
        """Check one exercise, or the chapter; the report in one line."""
        if id:
            self.page.select_option("#exercise", id)
        self.press("check" if id else "all")
        return self.told

    def press(self, name: str) -> None:
        self.page.click(f"#{name}")
        self.page.wait_for_function(IDLE)

    def begin_again(self) -> None:
        """Give back the stubs, as a reader does; what others wrote here is gone."""
        self.page.click("#again")
        self.wrong.clear()

    @property
    def told(self) -> str:
        return " ".join(self.page.inner_text("#told").split())

    @property
    def focused(self) -> str:
        return self.page.evaluate("document.activeElement.id")

    @property
    def earned(self) -> float:
        return float(self.page.inner_text("#earned"))


@contextmanager
def serving(folder: Path, handler: type[Quiet] = Quiet) -> Iterator[str]:
    """The address of a site."""
    with ThreadingHTTPServer((HOST, 0), partial(handler, directory=str(folder))) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_address[1]}/"
        running.shutdown()


class Public(Quiet):
    """Serves files to the pages of others, too."""

    def end_headers(self) -> None:
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


@contextmanager
def seated(
    browser: Any, address: str, name: str = "chapter1-here.html", public: str = "data:"
) -> Iterator[Desk]:
    """A page of a site in a profile of its own; with its editor, if it was built in.

    Args:
        public: beside the site itself, the one address that may be asked.
    """
    with browser.new_context(
        viewport={"width": 1280, "height": 900}, permissions=["clipboard-read", "clipboard-write"]
    ) as context:
        page = context.new_page()
        page.set_default_timeout(2 * PATIENCE)
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda m: m.type == "error" and wrong.append(m.text))
        known = (address, "data:", "blob:", public)
        page.on("request", lambda r: r.url.startswith(known) or wrong.append(r.url))
        page.on("dialog", lambda dialog: dialog.accept())
        desk = Desk(page, wrong, address)
        page.goto(address + name)
        yield desk
