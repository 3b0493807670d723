"""The two ways in which the grader itself gives up; everything else is a verdict."""


class WrongUse(Exception):
    """What was asked cannot be done; the message says what to do instead. Exit status 2."""


class OurFault(Exception):
    """The course or the grader is broken, not what the learner wrote. Exit status 3."""
