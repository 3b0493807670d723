"""The two ways in which the grader itself gives up (all else is a verdict), and how it says so."""


class WrongUse(Exception):
    """What was asked cannot be done; the message says what to do instead. Exit status 2."""


class OurFault(Exception):
    """The course or the grader is broken, not what the learner wrote. Exit status 3."""


WINDOWS = (
    "Windows has nothing that could keep the code to be judged apart from its judge: install WSL "
    "(`wsl --install`) and the course inside of it, or use the book in a browser, whose pages "
    "judge too where somebody on Linux, macOS or WSL has built it so "
    "(`grader book --build DIR --pyodide DIR`)."
)
# Controls but line feed and tab, marks of direction, separators, halves of characters. The halves
# that stand for bytes in the names of files stay: no terminal gets those.
STEERS = "[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udc7f]"


def plain(text: str) -> str:
    """Text as it may be shown anywhere: nothing in it steers a terminal."""
    import re  # not before somebody is told something

    return re.sub(STEERS, "\N{REPLACEMENT CHARACTER}", text)
