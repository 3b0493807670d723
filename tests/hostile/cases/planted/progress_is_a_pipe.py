# never: a pipe in the place of what was kept is waited for
# expect: chapter3.div.forward=passed

#@ fifo ../.grader/progress.json
