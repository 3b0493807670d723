"""`grader graph` in a real browser: keys, visible state, pixels."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import numpy as np
import pytest

from .test_graph import BOOK, WRONG_MUL, drawn, steps_of

__all__ = ["drawn"]  # a fixture

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


DESK, PHONE = (1100, 700), (500, 844)  # a headless window is never narrower than 500


def chromium(tmp_path: Path, *arguments: str, size: tuple[int, int] = DESK) -> str:
    command = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync",
        "--disable-component-update", "--hide-scrollbars", f"--window-size={size[0]},{size[1]}",
        "--virtual-time-budget=2000", f"--user-data-dir={tmp_path / 'profile'}", *arguments,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    return done.stdout


def after_keys(out: Path, *keys: str) -> str:
    """The page with a script that presses keys, as a learner would."""
    presses = "".join(
        f'document.dispatchEvent(new KeyboardEvent("keydown", {{key: "{key}"}}));' for key in keys
    )
    pressed = out.with_name("pressed.html")
    text = out.read_text().replace("</body>", f"<script>{presses}</script></body>")
    pressed.write_text(text)
    return pressed.as_uri()


KEYS = {
    "nothing": ((), 0),
    "right": (("ArrowRight",) * 3, 3),
    "there and back": (("ArrowRight", "ArrowRight", "ArrowLeft"), 1),
    "beyond the start": (("ArrowLeft",), 0),
    "the end": (("End", "ArrowRight"), 9),
}


@browser
@pytest.mark.parametrize("what", KEYS)
def test_keys_step_through_the_graph(what, drawn, tmp_path):
    keys, step = KEYS[what]
    _, out = drawn(BOOK)
    dom = chromium(tmp_path, "--dump-dom", after_keys(out, *keys))
    told = steps_of(out.read_text())
    assert f'data-step="{step}"' in dom and len(told) == 10
    assert f">{told[step]['says']}</p>" in dom
    hidden = set(re.findall(r'class="value hidden" id="value-(\d+)"', dom))
    shown = {str(n) for one in told[: step + 1] for n in one["values"]}
    assert hidden == {str(n) for n in range(5)} - shown


def pixels(path: Path) -> np.ndarray:
    """A PNG of 8 bits per colour as an array of height, width, colours."""
    data, at, packed, width, height, depth = path.read_bytes(), 8, b"", 0, 0, 3
    while at < len(data):
        (size,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
            depth = {2: 3, 6: 4}[colour]
        packed += body if kind == b"IDAT" else b""
        at += size + 12
    raw = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * depth)
    rows = np.zeros((height + 1, width * depth + depth), np.int64)
    for y in range(height):
        line, kind = raw[y, 1:].astype(np.int64), raw[y, 0]
        for x in range(width * depth) if kind in (1, 3, 4) else ():
            left, up, corner = rows[y + 1, x], rows[y, x + depth], rows[y, x]
            line[x] += {1: left, 3: (left + up) // 2, 4: _paeth(left, up, corner)}[int(kind)]
            rows[y + 1, x + depth] = line[x] = line[x] % 256
        rows[y + 1, depth:] = (line + (rows[y, depth:] if kind == 2 else 0)) % 256
    return rows[1:, depth:].reshape(height, width, depth)[:, :, :3]


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    return min((left, up, corner), key=lambda each: abs(guess - each))


COLOURS = {"value": (0x14, 0x53, 0x9A), "gradient": (0x96, 0x43, 0x0A), "wrong": (0xB3, 0x16, 0x1B)}


@browser
def test_a_screenshot_shows_values_gradients_and_the_mark(drawn, package, tmp_path):
    _, out = drawn(BOOK, str(package(WRONG_MUL)))

    def seen(name: str, *keys: str) -> dict[str, int]:
        chromium(tmp_path, f"--screenshot={tmp_path / name}", after_keys(out, *keys))
        image = pixels(tmp_path / name)
        return {
            what: int((np.abs(image - np.array(colour)).sum(axis=2) < 12).sum())
            for what, colour in COLOURS.items()
        }

    first, last = seen("first.png"), seen("last.png", "End")
    assert first["value"] > 50 and first["gradient"] == 0 and first["wrong"] == 0, first
    assert last["value"] > first["value"] and last["gradient"] > 50 and last["wrong"] > 50, last


LONG = "x = Tensor([[1., 2.], [3., 4.]]); w = Tensor([[5.], [6.]]); ((x @ w) ** 2 * 3 + 1).sum()"
MEASURE = """<script>{
const box = document.querySelector(".drawing"), seen = box.getBoundingClientRect();
const told = steps[Number(main.dataset.step)].active[0];
const node = document.querySelector(`#node-${told} rect`).getBoundingClientRect();
const all = document.documentElement;
all.dataset.wide = all.scrollWidth - all.clientWidth;
all.dataset.hidden = node.left < seen.left - 1 || node.right > seen.right + 1;
all.dataset.scrolls = box.scrollWidth > box.clientWidth;
}</script></body>"""


@browser
@pytest.mark.parametrize("presses", (0, 6, 12))
def test_on_a_narrow_screen_the_page_fits_and_the_step_is_in_sight(presses, drawn, tmp_path):
    _, out = drawn(LONG)
    page = Path(after_keys(out, *["ArrowRight"] * presses).removeprefix("file://"))
    page.write_text(page.read_text().replace("</body>", MEASURE))
    dom = chromium(tmp_path, "--dump-dom", page.as_uri(), size=PHONE)
    assert 'data-scrolls="true"' in dom and 'data-wide="0"' in dom and 'data-hidden="false"' in dom


@browser
def test_the_last_step_names_what_is_wrong(drawn, package, tmp_path):
    _, out = drawn(BOOK, str(package(WRONG_MUL)))
    dom = chromium(tmp_path, "--dump-dom", after_keys(out, "End"))
    assert "Wrong, and marked ✗: Mul.backward." in dom
