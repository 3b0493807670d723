"""Record `grader check` on a wrong rule, then on the fixed one, as an animated SVG.

    python benchmarks/recording.py [FILE]

It makes a workspace whose `Div.backward` lost a minus (a known mistake of the course), runs the
commands of `SESSION` there in a terminal of 80 columns, and draws what they print, colours
included. Only the path of the workspace is replaced. `tests/grader/test_recording.py` compares the
picture in `docs/` with what the commands print today.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grader.course.load import read_course  # noqa: E402
from grader.learner.wording import CODES  # noqa: E402

PICTURE = ROOT / "docs" / "recording.svg"
EXERCISE, LOST, TARGET = "chapter3.div.backward", "forgot-minus", "ops.Div.backward"
SESSION = (
    "grep -n 'out_grad / b' babygrad/ops.py",
    "grader check Div.backward",
    "sed -i 's|out_grad [*] a / (b|-&|w /dev/stdout' babygrad/ops.py",
    "grader check Div.backward",
)
HOME = "/home/you/work"  # stands for the folder in which it was recorded
COLUMNS, ROWS = 80, 36
CELL, LINE, EDGE, BAR = 8.43, 18, 16, 30  # px: a column, a row, the padding, the title bar
PER_KEY, BEFORE_ANSWER = 0.045, 0.4  # seconds
TO_READ = (1.6, 9.0, 1.4, 6.0)  # after each command
TITLE = "A wrong rule, its report, and the fixed rule"
DESCRIPTION = (
    "A terminal. The backward of a / b lacks a minus. grader check shows the smallest call that "
    "fails, the numbers of the rule beside the right ones, a nudge that proves them, and names the "
    "mistake: the gradient of b lacks its minus. The rule gets its minus, and every check passes."
)
STYLE = """
svg{--paper:#fff;--bar:#eaeef2;--edge:#d0d7de;--ink:#1f2328;--red:#b3202c;--green:#116329;
--yellow:#7d4e00;--cyan:#0b5c8a;--dim:#59636e}
@media(prefers-color-scheme:dark){svg{--paper:#0d1117;--bar:#161b22;--edge:#30363d;--ink:#e6edf3;
--red:#ff7b72;--green:#56d364;--yellow:#e3b341;--cyan:#79c0ff;--dim:#9198a1}}
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;
fill:var(--ink);white-space:pre}
.paper,.cover{fill:var(--paper)}.bar{fill:var(--bar)}.edge{fill:none;stroke:var(--edge)}
.cursor,.cover{visibility:hidden}.cursor{fill:var(--ink)}
.red{fill:var(--red)}.green{fill:var(--green)}.yellow{fill:var(--yellow)}.cyan{fill:var(--cyan)}
.dim,.prompt{fill:var(--dim)}.bold{font-weight:bold}
"""

CODE = re.compile(r"\x1b\[(\d+)m")
OTHER = re.compile(r"\x1b\]8;;.*?\x1b\\|\x1b\[[\d;]*[A-Zac-ln-z]")
NAMES = {code: name for name, code in CODES.items()}
Piece = tuple[str, str]  # a colour's name, or none, and text


class Step(NamedTuple):
    """A command, and the lines that it printed."""

    command: str
    lines: list[list[Piece]]


def wrong_workspace(folder: Path) -> None:
    """Make a workspace in which all is right but `EXERCISE`."""
    course = read_course()
    wrong = next(m.body for m in course.exercises[EXERCISE].mistakes if m.name == LOST)
    grader = [sys.executable, "-m", "grader", "init", str(folder), "--from", "chapter3"]
    subprocess.run(grader, check=True, capture_output=True, env=around())
    for name, source in course.replace_bodies({TARGET: wrong}).items():
        place = folder / "babygrad" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(source, encoding="utf-8")


def around() -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm-256color",
        "NO_COLOR": "",
        "COLUMNS": "80",
    }


def in_terminal(command: str, folder: Path) -> str:
    """Run a command in a terminal of its own; return what it printed there."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    named = f'grader() {{ "{sys.executable}" -m grader "$@"; }}; {command}'
    ran = subprocess.Popen(
        ["bash", "-c", named], cwd=folder, env=around(),
        stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    read = bytearray()
    while chunk := read_some(ours):
        read += chunk
    ran.wait()
    os.close(ours)
    return read.decode("utf-8").replace(str(folder.resolve()), HOME).replace(str(folder), HOME)


def read_some(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux says so when the other end is closed
        return b""


def pieces(line: str) -> list[Piece]:
    """Split a line into its colours; a link keeps its text alone."""
    found, name = [], ""
    for number, part in enumerate(CODE.split(line)):
        if number % 2:
            name = NAMES.get(part, "")
        elif part:
            found.append((name, part))
    return found


def on_screen(printed: str) -> list[list[Piece]]:
    """Return the lines that are left: progress that a later text replaces is gone."""
    lines = OTHER.sub("", printed).replace("\r\n", "\n").rstrip("\n").split("\n")
    return [pieces(line.rpartition("\r")[2]) for line in lines]


def record(folder: Path) -> list[Step]:
    """Run the session in a new workspace; the key is made before, out of sight."""
    wrong_workspace(folder)
    in_terminal(SESSION[1], folder)
    return [Step(command, on_screen(in_terminal(command, folder))) for command in SESSION]


class Film:
    """The rows of a session, and the time of each event.

    Every animation has the length of the film and its own percentages, so that all begin again
    together.
    """

    def __init__(self, steps: list[Step]) -> None:
        self.marks: list[str] = []
        self.styles: list[str] = []
        self.row = 0
        self.length = sum(
            len(s.command) * PER_KEY + BEFORE_ANSWER + read
            for s, read in zip(steps, TO_READ, strict=True)
        )
        self.scrolls = [(0.0, 0)]
        now = 0.0
        for number, (step, read) in enumerate(zip(steps, TO_READ, strict=True)):
            now = self._play(number, step, now) + read
        self._scroll()

    def _play(self, number: int, step: Step, now: float) -> float:
        """Draw a step that begins at ``now``; return the time when its answer is there."""
        typed = now + len(step.command) * PER_KEY
        answered = typed + BEFORE_ANSWER
        width = (len(step.command) + 2) * CELL
        y = self._y()
        self.marks.append(
            f'<g class="l{number}">{self._text([("prompt", "$ "), ("", step.command)], width)}'
        )
        self.marks.append(
            f'<g class="t{number}"><rect class="cover" x="{EDGE + 2 * CELL:.1f}" '
            f'y="{y - 14}" width="{COLUMNS * CELL:.1f}" height="{LINE}"/>'
            f'<rect class="cursor" x="{EDGE + 2 * CELL:.1f}" y="{y - 13}" width="8" '
            f'height="16"/></g></g>'
        )
        self._typing(number, now, typed, len(step.command))
        self.row += 1
        self.marks.append(f'<g class="o{number}">')
        for line in step.lines:
            self.marks += [self._text(line)] if line else []
            self.row += 1
        self.marks.append("</g>")
        self._appear(f"o{number}", answered)
        self._appear(f"l{number}", now)
        self.scrolls.append((answered, max(0, self.row + 1 - ROWS)))
        return answered

    def _y(self) -> int:
        return BAR + EDGE + 8 + self.row * LINE

    def _text(self, line: list[Piece], width: float = 0) -> str:
        spans = "".join(
            f'<tspan class="{name}">{escape(text)}</tspan>' if name else escape(text)
            for name, text in line
        )
        fixed = f' textLength="{width:.1f}"' if width else ""
        return f'<text x="{EDGE}" y="{self._y()}" xml:space="preserve"{fixed}>{spans}</text>'

    def _percent(self, seconds: float) -> str:
        return f"{100 * seconds / self.length:.2f}%"

    def _animate(self, name: str, frames: str, selector: str = "") -> None:
        self.styles.append(f"@keyframes {name}{{{frames}}}")
        timing = f"{name} {self.length:.2f}s step-end infinite"
        self.styles.append(f"{selector or '.' + name}{{animation:{timing}}}")

    def _appear(self, name: str, start: float) -> None:
        if start:
            self._animate(name, f"0%{{opacity:0}}{self._percent(start)}{{opacity:1}}")

    def _typing(self, number: int, start: float, end: float, keys: int) -> None:
        begin, done = self._percent(start), self._percent(end)
        far = f"translateX({keys * CELL:.1f}px)"
        self._animate(
            f"t{number}",
            f"0%{{transform:none}}{begin}{{transform:none;animation-timing-function:steps({keys})}}"
            f"{done}{{transform:{far}}}100%{{transform:{far}}}",
        )
        shown = f"0%{{visibility:hidden}}{begin}{{visibility:visible}}"
        gone = self._percent(end + BEFORE_ANSWER)
        self._animate(f"c{number}", f"{shown}{gone}{{visibility:hidden}}", f".t{number} rect")

    def _scroll(self) -> None:
        frames = "".join(
            f"{self._percent(at)}{{transform:translateY({-rows * LINE}px)}}"
            for at, rows in self.scrolls
        )
        self._animate("scroll", frames)

    def svg(self) -> str:
        width, height = round(2 * EDGE + COLUMNS * CELL), BAR + EDGE + ROWS * LINE + 4
        moving = "\n".join(self.styles)
        marks = "\n".join(self.marks)
        # The edge comes last: a cover that moves must not lie on it.
        return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" \
aria-labelledby="title desc">
<title id="title">{TITLE}</title>
<desc id="desc">{DESCRIPTION}</desc>
<style>{STYLE}@media(prefers-reduced-motion:no-preference){{
{moving}
}}</style>
<clipPath id="screen"><rect x="1" y="{BAR + 10}" width="{width - 2}" height="{ROWS * LINE}"/>\
</clipPath>
<rect class="paper" width="{width}" height="{height}" rx="8"/>
<path class="bar" d="M0 {BAR}V8a8 8 0 0 1 8-8H{width - 8}a8 8 0 0 1 8 8V{BAR}z"/>
<text class="dim" x="{width / 2:g}" y="20" text-anchor="middle">~/work</text>
<g clip-path="url(#screen)"><g class="scroll">
{marks}
</g></g>
<rect class="edge" x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8"/>
</svg>
"""


def text_of(steps: list[Step]) -> Iterator[str]:
    """Yield the lines of a session as a reader sees them."""
    for step in steps:
        yield f"$ {step.command}"
        yield from ("".join(text for _, text in line) for line in step.lines)


def main() -> None:
    target = Path(sys.argv[1]) if sys.argv[1:] else PICTURE
    with tempfile.TemporaryDirectory() as folder:
        steps = record(Path(folder, "work"))
    target.write_text(Film(steps).svg(), encoding="utf-8")
    print("\n".join(text_of(steps)))
    print(f"\n{target}: {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
