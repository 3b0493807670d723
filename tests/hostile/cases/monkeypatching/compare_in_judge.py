# never: the judge's own modules can be reached from the worker
# expect: chapter3.div.forward=failed
# most: 0.4

#@ before ops.py
import sys
for name in ('grader', 'grader.judge', 'grader.course.compare', 'grader.judge.judge'):
    try:
        module = __import__(name, fromlist=['x'])
    except ImportError:
        continue
    raise RuntimeError('@HARM@')
#@ body ops.Div.forward
return a * b
