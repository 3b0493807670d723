"""The pages of a class in a browser as wide as a phone: a table scrolls, the page does not."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PHONE = 390
FRAME = '<iframe src="{}" style="width: {}px; height: 800px; border: 0"></iframe>'
MEASURE = """<pre id="found"></pre><script>
addEventListener("load", () => {
  const wide = [...document.querySelectorAll("iframe")].map((frame) => {
    const page = frame.contentDocument;
    const tables = [...page.querySelectorAll("table")].map((t) => t.scrollWidth);
    return `${page.documentElement.scrollWidth}/${Math.max(0, ...tables)}`;
  });
  document.getElementById("found").textContent = `widths ${wide.join(" ")} end`;
});
</script>"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_no_page_is_wider_than_a_phone(graded, grader, tmp_path: Path):
    grader("export", "html", str(graded), "--out", str(tmp_path / "html"))
    map_ = tmp_path / "map.html"
    assert grader("insights", str(graded), "--html", str(map_)).status == 0
    pages = [tmp_path / "html" / "index.html", tmp_path / "html" / "learners" / "mo.html", map_]
    frames = "".join(FRAME.format(page.as_uri(), PHONE) for page in pages)
    (tmp_path / "frames.html").write_text(f"<!doctype html>{frames}{MEASURE}")
    done = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--disable-background-networking", "--hide-scrollbars", "--allow-file-access-from-files",
         "--virtual-time-budget=5000", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom",
         (tmp_path / "frames.html").as_uri()],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    found = re.search(r"widths (.*) end", done.stdout.partition("<script>")[0])
    assert found, done.stderr[-500:]
    widths = [tuple(map(int, each.split("/"))) for each in found[1].split()]
    assert [page for page, _ in widths] == [PHONE] * 3
    assert max(table for _, table in widths) > PHONE  # there was something to be scrolled
