"""The two ways in which the grader itself gives up; everything else is a verdict."""


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
