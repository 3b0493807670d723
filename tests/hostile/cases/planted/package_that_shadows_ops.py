# never: a file that lies about runs in the grader, or in the learner's place
# expect: chapter3.div.forward=passed|crashed
# look: chapter3.div.forward

#@ file ops/__init__.py
raise RuntimeError('shadow')
