"""The process that runs learner code. The grader's own process imports nothing of it.

`main.py` starts as a script, isolated from the environment; its siblings are plain modules beside
it. It gets programs and inputs, and answers with arrays. Only mypy reads its types: importing
`typing` costs a worker too much time, so each module sets `TYPE_CHECKING` itself.
"""
