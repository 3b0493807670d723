# never: a file that lies about runs in the grader, or in the learner's place
# expect: chapter3.div.forward=passed chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ bytes __pycache__/ops.cpython-311.pyc
__import__('importlib.util').util.MAGIC_NUMBER + bytes(12) + __import__('marshal').dumps(compile("import os; os.write(1, b'@HARM@')", 'ops.py', 'exec'))
