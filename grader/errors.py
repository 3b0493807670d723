"""The grader's own errors (everything else is a verdict), and text that is safe to print."""


class WrongUse(Exception):
    """The user's request cannot be done; the message says what to do instead. Exit status 2."""


class OurFault(Exception):
    """The course or the grader is broken, not what the learner wrote. Exit status 3."""


WINDOWS = (
    "Windows has nothing that could keep the code to be judged apart from its judge: install WSL "
    "(`wsl --install`) and the course inside of it, or use the book in a browser, whose pages "
    "judge too where somebody on Linux, macOS or WSL has built it so "
    "(`grader book --build DIR --pyodide DIR`)."
)
# Controls except line feed and tab, marks of direction, line separators, lone surrogates. Those
# that stand for bytes of file names (from U+DC80 on) stay: the streams replace them.
STEERS = "[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udc7f]"


def safe_text(text: str) -> str:
    """Replace each character that steers a terminal (`STEERS`) by U+FFFD."""
    import re  # only when a message is printed

    return re.sub(STEERS, "\N{REPLACEMENT CHARACTER}", text)


def one_line(text: str, most: int = 2000) -> str:
    """Make untrusted text safe for one line of a terminal, of at most ``most`` characters."""
    line = " ".join(os_safe(text).split())
    safe = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)
    return safe if len(safe) <= most else safe[: most - 1] + "…"


def os_safe(text: str) -> str:
    """Replace lone surrogates, which cannot be encoded: bytes of names, halves of a character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
