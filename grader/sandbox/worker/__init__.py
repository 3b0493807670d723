"""The process that runs learner code. Nothing of it is imported by the grader's own process.

`main.py` starts as a script, isolated from the environment; its siblings are plain modules
beside it. It is told programs and inputs, and answers with arrays. Types are read by mypy alone:
`typing` costs a worker more than it has time for, so its `TYPE_CHECKING` is a name of their own.
"""
