# never: brackets inside of brackets bring the reader of the progress down
# expect: chapter3.div.forward=passed

#@ bytes ../.grader/progress.json
b'{"exercises": ' + b"[" * 200000
